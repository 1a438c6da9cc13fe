import { IconAlertCircle, IconTrash } from '@tabler/icons-react';
import { isLosslessNumber } from 'lossless-json';
import { memo, use, useCallback, useId } from 'react';
import { type FieldSchema, fieldOf } from '../model/form/fields/field';
import { freshValue } from '../model/form/fields/fresh';
import { type Json, isObject, writeJsonCompact } from '../model/text/json';
import { IconButton } from '../widgets/controls/IconButton';
import { AlternativesBody } from './AlternativesBody';
import { ArrayBody } from './ArrayBody';
import { ObjectBody } from './ObjectBody';
import { FormButton } from './controls/FormButton';
import { FieldHead, shownName } from './FieldHead';
import { type BodyProps, type FieldProps, ProblemContext, useForm } from './formContext';
import { BooleanControl } from './controls/BooleanControl';
import { EnumControl } from './controls/EnumControl';
import { JsonControl } from './controls/JsonControl';
import { NumberControl } from './controls/NumberControl';
import { TextControl } from './controls/TextControl';
import { ValueState } from './ValueState';
import { useDescribedBy } from '../widgets/layout/useDescribedBy';
import { Clamped } from '../widgets/text/Clamped';
import classes from './form.module.css';

/** One value: name, type, description, control, problems. Nested values are indented behind a hairline. */
export const Field = memo(function Field(props: FieldProps) {
  const { schema, value, pointer, name, place, required, onMember } = props;
  const { document } = useForm();
  const errors = use(ProblemContext).get(pointer);
  const id = useId();
  useDescribedBy(id, errors !== undefined && `${id}-error`);
  const field = fieldOf(schema, value, document);
  const onValue = useCallback((next: Json | undefined) => onMember(name, next), [onMember, name]);
  const label = place === 'item' ? `Item ${Number(name) + 1}` : shownName(String(name));
  const { description } = field.keywords;
  const isFrame = field.kind.type === 'object' && value !== null;
  const body = (
    <FieldBody
      id={id}
      label={label}
      field={field}
      schema={schema}
      value={value}
      pointer={pointer}
      place={place}
      required={required}
      invalid={errors !== undefined}
      followed={[props.followed, ...field.references].filter((one) => one !== '').join('\n')}
      depth={0}
      isRecursive={isCut(field, value, props.followed)}
      onValue={onValue}
    />
  );
  if (place === 'item') {
    return (
      <div
        className={classes.itemField}
        data-field={pointer}
        data-invalid={errors !== undefined || undefined}
      >
        <div className={classes.itemLine}>
          <div className={classes.itemControl}>{body}</div>
          <ValueState {...{ label, field, value, place, onValue }} />
        </div>
        <Errors errors={errors} id={id} />
      </div>
    );
  }
  return (
    <div className={classes.field} data-field={pointer} data-invalid={errors !== undefined || undefined}>
      <FieldHead {...props} id={id} name={String(name)} field={field} />
      {typeof description === 'string' && description !== '' && (
        <div className={classes.description}>
          <Clamped text={description} label={`Description of ${label}`} />
        </div>
      )}
      <div className={isFrame ? classes.nested : undefined}>{body}</div>
      <div className={classes.tools}>
        <ValueState {...{ label, field, value, place, onValue }} />
        {place === 'extra' && (
          <IconButton
            icon={IconTrash}
            label={`Remove ${label}`}
            size={22}
            onClick={() => onValue(undefined)}
          />
        )}
      </div>
      <Errors errors={errors} id={id} />
    </div>
  );
});

/** How deep objects that are not sent are drawn: a schema can name more members than there are atoms. */
const MAX_EMPTY_DEPTH = 6;

/** How many choices are drawn within each other for one value: a schema can be a choice of itself. */
const MAX_CHOICES = 4;

/** Whether the fields inside are drawn only on request: the schema contains itself, or nests deeply. */
function isCut(field: FieldSchema, value: Json | undefined, followed: string): boolean {
  if (value !== undefined || (field.kind.type !== 'object' && field.kind.type !== 'alternatives'))
    return false;
  const before = followed.split('\n');
  return before.length > MAX_EMPTY_DEPTH || field.references.some((reference) => before.includes(reference));
}

function FieldBody({ isRecursive, ...props }: BodyProps & { isRecursive: boolean }) {
  const { document } = useForm();
  const { schema, label, onValue } = props;
  if (!isRecursive) return <Body {...props} />;
  return (
    <FormButton isAdd onClick={() => onValue(freshValue(schema, document))}>
      {`Add ${label}`}
    </FormButton>
  );
}

/** The control that fits the schema and the value. A value that the control cannot show is edited as JSON. */
export function Body(props: BodyProps) {
  const { field, value } = props;
  const { kind } = field;
  const isUnset = value === undefined || value === null;
  switch (kind.type) {
    case 'text':
      // A text field would replace a carriage return, and freeze with a huge text.
      if (isUnset || (typeof value === 'string' && !value.includes('\r'))) return <TextControl {...props} />;
      break;
    case 'number':
      if (isUnset || typeof value === 'string' || isLosslessNumber(value))
        return <NumberControl {...props} />;
      break;
    case 'boolean':
      if (isUnset || typeof value === 'boolean') return <BooleanControl {...props} />;
      break;
    case 'null':
      if (isUnset) return null;
      break;
    case 'constant':
      if (isUnset || writeJsonCompact(value) === writeJsonCompact(kind.value)) return null;
      break;
    case 'enum':
      return <EnumControl {...props} choices={kind.choices} />;
    case 'object':
      if (value === null) return null;
      if (isUnset || isObject(value)) return <ObjectBody {...props} alternatives={kind.alternatives} />;
      break;
    case 'array':
      if (isUnset || Array.isArray(value)) return <ArrayBody {...props} />;
      break;
    case 'alternatives':
      if (value === null) return null;
      if (props.depth > MAX_CHOICES) break;
      return <AlternativesBody {...props} alternatives={kind.alternatives} />;
    case 'json':
      break;
  }
  return <JsonControl {...props} />;
}

function Errors({ errors, id }: { errors: string[] | undefined; id: string }) {
  if (errors === undefined) return null;
  return (
    <p className={classes.error} id={`${id}-error`} data-errors>
      <IconAlertCircle size={14} />
      {errors.join('; ')}
    </p>
  );
}
