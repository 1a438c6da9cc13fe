import { ActionIcon, Button, TextInput } from '@mantine/core';
import {
  ADDITIONAL_PROPERTY_FLAG,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  type CyclicSchemaExpandProps,
  type FieldPathId,
  type FieldTemplateProps,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
  type RJSFSchema,
  type UnsupportedFieldProps,
  canExpand,
} from '@rjsf/utils';
import {
  IconAlertCircle,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactElement, createContext, useContext, useEffect, useRef } from 'react';
import { type FormTemplates, type FormValue, InArray, type SchemaFormContext } from './formContext';
import { describeField } from './describe';
import classes from './form.module.css';

/** The layout of a form: name and type, description, control; nested fields are indented behind a hairline. */
type Value = FormValue;
type Context = SchemaFormContext;

/** The id of the field whose name is already shown above the choice of its schema. */
const Chosen = createContext<string | undefined>(undefined);

/** Whether the field only groups other fields. */
function isFrame(schema: RJSFSchema): boolean {
  return schema.type === 'object' || schema.properties !== undefined;
}

function FieldTemplate(props: FieldTemplateProps<Value, RJSFSchema, Context>) {
  const { id, fieldPathId, label, schema, required, rawErrors, rawDescription, children, hidden } = props;
  const chosen = useContext(Chosen);
  if (hidden === true) return <div hidden>{children}</div>;
  const { path } = fieldPathId;
  if (path.length === 0) return <>{children}</>;
  const last = path.at(-1);
  const name = typeof last === 'string' ? last : undefined;
  const additional = ADDITIONAL_PROPERTY_FLAG in schema;
  // The name of an array item is its index, which the item template shows.
  if (name === undefined || chosen === id) {
    return (
      <div className={isFrame(schema) && name !== undefined ? classes.nested : classes.itemField}>
        {children}
        <Errors errors={rawErrors} id={id} />
      </div>
    );
  }
  return (
    <div className={classes.field} data-invalid={(rawErrors?.length ?? 0) > 0 || undefined}>
      <div className={classes.head}>
        {additional ? (
          <TextInput
            className={classes.key}
            defaultValue={label}
            aria-label="Property name"
            onBlur={props.onKeyRenameBlur}
            key={label}
          />
        ) : (
          <label className={classes.name} htmlFor={id}>
            {name}
            {required === true && (
              <span className={classes.required} data-tip="Required">
                *
              </span>
            )}
          </label>
        )}
        {!additional && differs(label, name) && <span className={classes.title}>{label}</span>}
        <span className={classes.type}>{describeField(schema)}</span>
        {additional && (
          <ActionIcon
            aria-label={`Remove ${label}`}
            data-tip="Remove property"
            onClick={props.onRemoveProperty}
            className={classes.remove}
          >
            <IconTrash size={14} />
          </ActionIcon>
        )}
      </div>
      {rawDescription !== undefined && rawDescription !== '' && (
        <p className={classes.description}>{rawDescription}</p>
      )}
      {schema.const === undefined && (
        <div className={isFrame(schema) ? classes.nested : undefined}>{children}</div>
      )}
      <Errors errors={rawErrors} id={id} />
    </div>
  );
}

function Errors({ errors, id }: { errors: string[] | undefined; id: string }) {
  if (errors === undefined || errors.length === 0) return null;
  return (
    <p className={classes.error} id={`${id}__error`}>
      <IconAlertCircle size={14} />
      {errors.join('; ')}
    </p>
  );
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Whether a title adds to the name. */
function differs(title: string, name: string): boolean {
  return title !== '' && plain(title) !== plain(name);
}

function ObjectFieldTemplate(props: ObjectFieldTemplateProps<Value, RJSFSchema, Context>) {
  const { properties, schema, uiSchema, formData, onAddProperty, disabled, readonly, optionalDataControl } =
    props;
  return (
    <div className={classes.object}>
      {optionalDataControl}
      <InArray value={false}>
        {properties
          .filter(({ hidden }) => !hidden)
          .map(({ name, content }) => (
            <div key={name}>{content}</div>
          ))}
      </InArray>
      {canExpand(schema, uiSchema, formData as object) && (
        <AddButton
          disabled={disabled === true || readonly === true}
          onClick={() => onAddProperty()}
          text="Add property"
        />
      )}
    </div>
  );
}

function AddButton({ text, disabled, onClick }: { text: string; disabled: boolean; onClick: () => void }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={<IconPlus size={14} />}
      disabled={disabled}
      onClick={onClick}
      className={classes.add}
    >
      {text}
    </Button>
  );
}

function ArrayFieldTemplate(props: ArrayFieldTemplateProps<Value, RJSFSchema, Context>) {
  const { items, canAdd, onAddClick, disabled, readonly, title, fieldPathId } = props;
  const root = useRef<HTMLDivElement>(null);
  const added = useRef(false);
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    const item = [...(root.current?.children ?? [])].findLast((child) => child.matches('[data-item]'));
    item?.querySelector<HTMLElement>('input, textarea, .cm-content, button')?.focus();
  }, [items.length]);
  return (
    <div className={classes.array} id={fieldPathId.$id} ref={root}>
      <InArray value>{items}</InArray>
      {canAdd && (
        <AddButton
          disabled={disabled === true || readonly === true}
          onClick={() => {
            added.current = true;
            onAddClick();
          }}
          text={`Add ${singular(title)}`}
        />
      )}
    </div>
  );
}

/** `paths` → `path`; `item` where no singular can be formed. */
function singular(title: string): string {
  const name = title.toLowerCase().replaceAll(/[_-]+/g, ' ').trim();
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : 'item';
}

function ArrayFieldItemTemplate(props: ArrayFieldItemTemplateProps<Value, RJSFSchema, Context>) {
  const { children, hasToolbar, buttonsProps, index } = props;
  const { hasMoveUp, hasMoveDown, hasRemove, hasCopy } = buttonsProps;
  const buttons = [
    { show: hasMoveUp, icon: IconArrowUp, label: 'Move up', onClick: buttonsProps.onMoveUpItem },
    { show: hasMoveDown, icon: IconArrowDown, label: 'Move down', onClick: buttonsProps.onMoveDownItem },
    { show: hasCopy, icon: IconCopy, label: 'Duplicate', onClick: buttonsProps.onCopyItem },
    { show: hasRemove, icon: IconTrash, label: 'Remove', onClick: buttonsProps.onRemoveItem },
  ];
  return (
    <div className={classes.item} data-item>
      <span className={classes.itemIndex}>{index}</span>
      <div className={classes.itemBody}>{children}</div>
      {hasToolbar && (
        <div className={classes.itemTools}>
          {buttons.map(
            ({ show, icon: Icon, label, onClick }) =>
              show && (
                <ActionIcon
                  key={label}
                  size={22}
                  aria-label={`${label} item ${index + 1}`}
                  data-tip={label}
                  onClick={(event) => onClick(event)}
                  disabled={buttonsProps.disabled}
                >
                  <Icon size={14} />
                </ActionIcon>
              ),
          )}
        </div>
      )}
    </div>
  );
}

function MultiSchemaFieldTemplate(props: MultiSchemaFieldTemplateProps<Value, RJSFSchema, Context>) {
  return (
    <div className={classes.choice}>
      <div className={classes.selector}>{props.selector}</div>
      <Chosen
        value={
          (props.optionSchemaField as ReactElement<{ fieldPathId?: FieldPathId }> | null)?.props.fieldPathId
            ?.$id
        }
      >
        {props.optionSchemaField}
      </Chosen>
    </div>
  );
}

function CyclicSchemaExpandTemplate({
  fieldPathId,
  onExpand,
  name,
}: CyclicSchemaExpandProps<Value, RJSFSchema, Context>) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={<IconPlus size={14} />}
      className={classes.add}
      onClick={() => onExpand(fieldPathId.$id)}
    >
      {`Add ${name} (recursive)`}
    </Button>
  );
}

function UnsupportedFieldTemplate({ reason }: UnsupportedFieldProps<Value, RJSFSchema, Context>) {
  return <p className={classes.description}>This part has no form ({reason}). Edit it as JSON.</p>;
}

const Nothing = (): null => null;
const Children = ({ children }: { children?: React.ReactNode }) => <>{children}</>;

export const templates: FormTemplates = {
  FieldTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  MultiSchemaFieldTemplate,
  CyclicSchemaExpandTemplate,
  UnsupportedFieldTemplate,
  WrapIfAdditionalTemplate: Children as never,
  // The field template shows these.
  TitleFieldTemplate: Nothing,
  DescriptionFieldTemplate: Nothing,
  ArrayFieldTitleTemplate: Nothing,
  ArrayFieldDescriptionTemplate: Nothing,
  FieldErrorTemplate: Nothing,
  FieldHelpTemplate: Nothing,
  ErrorListTemplate: Nothing,
};
