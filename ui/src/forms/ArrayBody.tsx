import { MultiSelect } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react';
import { isLosslessNumber } from 'lossless-json';
import { use, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../model/text/format';
import { type Choice, fieldOf } from '../model/form/fields/field';
import { freshValue } from '../model/form/fields/fresh';
import { itemSchema, restOf, slotsOf } from '../model/form/fields/memberSchemas';
import { moved, withItem } from '../model/form/members';
import { type Json, writeJsonCompact } from '../model/text/json';
import { IconButton } from '../widgets/controls/IconButton';
import { FormButton } from './controls/FormButton';
import { FocusInPlace } from './room/FocusInPlace';
import { type BodyProps, useForm } from './formContext';
import { MAX_OPTIONS } from './controls/EnumControl';
import { RoomContext, roomOfEach } from './room/room';
import classes from './form.module.css';

/** How many items are drawn at once. */
const SHOWN = 100;

/** An array: a select with several values where the items are choices, else a list of items; a tuple has its places. */
export function ArrayBody(props: BodyProps) {
  const { field, value } = props;
  const { document } = useForm();
  const slots = slotsOf(field.keywords);
  const items = fieldOf(restOf(field.keywords), undefined, document);
  const array = Array.isArray(value) ? value : undefined;
  if (slots.length === 0 && items.kind.type === 'enum' && isSelection(array ?? [], items.kind.choices)) {
    return <Selection {...props} choices={items.kind.choices} />;
  }
  return <Items {...props} />;
}

/** Whether a select with several values can show the array: only choices, none twice. */
function isSelection(array: Json[], choices: Choice[]): boolean {
  const known = new Set(choices.map(({ value }) => writeJsonCompact(value)));
  const written = array.map(writeJsonCompact);
  return new Set(written).size === written.length && written.every((one) => known.has(one));
}

function Selection({ id, label, value, invalid, choices, onValue }: BodyProps & { choices: Choice[] }) {
  const written = useMemo(() => choices.map((choice) => writeJsonCompact(choice.value)), [choices]);
  const selected = Array.isArray(value)
    ? value.map((one) => String(written.indexOf(writeJsonCompact(one))))
    : [];
  return (
    <MultiSelect
      id={id}
      aria-label={label}
      data={choices.map((choice, index) => ({ value: String(index), label: choice.label }))}
      value={selected}
      error={invalid}
      searchable={choices.length > 8}
      limit={MAX_OPTIONS}
      comboboxProps={{ withinPortal: true }}
      onChange={(indexes) => {
        // A choice may be null, or an array itself.
        const chosen = indexes.map((index) => choices[Number(index)]);
        onValue(chosen.filter((choice) => choice !== undefined).map((choice) => choice.value));
      }}
    />
  );
}

function Items({ id, label, field, value, pointer, followed, onValue }: BodyProps) {
  const { document, Field } = useForm();
  const { keywords } = field;
  const given = use(RoomContext);
  /** Drawn on request. */
  const [extra, setExtra] = useState(0);
  const slots = slotsOf(keywords);
  const rest = restOf(keywords);
  const array: Json[] = Array.isArray(value) ? value : [];
  const edited = useRef({ array, keywords });
  const root = useRef<HTMLDivElement>(null);
  const added = useRef(false);
  /** The button of an item that was used, and where the item is then. */
  const used = useRef<Used | null>(null);
  useLayoutEffect(() => {
    edited.current = { array, keywords };
    if (used.current !== null) focusTool(root.current, used.current);
    used.current = null;
    if (!added.current) return;
    added.current = false;
    const item = [...(root.current?.children ?? [])].findLast((child) => child.matches('[data-item]'));
    item?.querySelector<HTMLElement>('input, textarea, .cm-content, button')?.focus();
  });
  const onMember = useCallback(
    (index: number | string, next: Json | undefined) => {
      const { array: before, keywords: known } = edited.current;
      const fill = (place: number): Json => freshValue(itemSchema(known, place), document);
      onValue(withItem(before, Number(index), next, fill));
    },
    [onValue, document],
  );
  const room = { ...given, fields: given.fields + extra };
  const limit = Math.min(room.fields, SHOWN + extra);
  const most = keywords['maxItems'];
  const isFull = isLosslessNumber(most) && array.length >= Number(most.value);
  const add = (): void => {
    added.current = true;
    setExtra(extra + Math.max(0, array.length + 1 - limit));
    onValue([...array, freshValue(itemSchema(keywords, array.length), document)]);
  };
  // The places of a tuple are shown before they are filled in.
  const count = Math.max(array.length, value === null ? 0 : slots.length);
  const schemaAt = (index: number): Json =>
    index < slots.length || rest !== false ? itemSchema(keywords, index) : true;
  const shown = Array.from({ length: Math.min(count, limit) }, (_, index) => ({
    schema: schemaAt(index),
    value: array[index],
  }));
  const isClosed = rest === false && array.length >= slots.length;
  return (
    <div className={classes.array} id={id} ref={root} role="group" aria-label={label}>
      <FocusInPlace root={root}>
        <RoomContext value={roomOfEach(room, shown, document)}>
          {shown.map(({ schema, value: item }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the items have no other identity
            <div key={index} className={classes.item} data-item>
              <span className={classes.itemIndex}>{index}</span>
              <div className={classes.itemBody}>
                <SlotName schema={slots[index]} />
                <Field
                  schema={schema}
                  value={item}
                  pointer={`${pointer}/${index}`}
                  name={index}
                  place="item"
                  required
                  followed={followed}
                  onMember={onMember}
                />
              </div>
              {index < array.length && index >= slots.length && (
                <ItemTools
                  index={index}
                  first={slots.length}
                  array={array}
                  canCopy={!isFull}
                  onValue={(next, button) => {
                    // Among equal items nothing is drawn again.
                    if (writeJsonCompact(next) === writeJsonCompact(array)) {
                      focusTool(root.current, button);
                      return;
                    }
                    used.current = button;
                    onValue(next);
                  }}
                />
              )}
            </div>
          ))}
        </RoomContext>
        {count > limit && !room.isGrowing && (
          <FormButton onClick={() => setExtra(extra + SHOWN)}>
            {`Show more (${formatCount(count, 'item')} in total)`}
          </FormButton>
        )}
        {!isFull && !isClosed && array.length >= slots.length && (
          <FormButton isAdd onClick={add}>
            {`Add ${singular(label)}`}
          </FormButton>
        )}
      </FocusInPlace>
    </div>
  );
}

/** The title of a place of a tuple. */
function SlotName({ schema }: { schema: Json | undefined }) {
  const { document } = useForm();
  if (schema === undefined) return null;
  const { title } = fieldOf(schema, undefined, document).keywords;
  return typeof title === 'string' ? <span className={classes.title}>{title}</span> : null;
}

interface ItemToolsProps {
  index: number;
  /** The first index that items can move to. */
  first: number;
  array: Json[];
  canCopy: boolean;
  onValue: (value: Json, used: Used) => void;
}

interface Used {
  tool: string;
  /** The place of the item afterwards. */
  at: number;
}

/**
 * Moves the focus to the button of an item that was used, where the item is now; items have no identity besides their place. Where
 * there is no such button any more, another one of the item gets it, and of the last item, after it was removed, what is left.
 */
function focusTool(root: HTMLElement | null, { tool, at }: Used): void {
  const items = [...(root?.children ?? [])].filter((child) => child.matches('[data-item]'));
  const tools = items[Math.min(at, items.length - 1)]?.querySelectorAll<HTMLElement>(TOOLS);
  const own = [...(tools ?? [])].filter((one) => one.closest('[data-item]')?.parentElement === root);
  const left = root?.querySelector<HTMLElement>(':scope > button:last-of-type');
  (own.find((one) => one.dataset['tool'] === tool) ?? own[0] ?? left)?.focus();
}

const TOOLS = '[data-tool]';

function ItemTools({ index, first, array, canCopy, onValue }: ItemToolsProps) {
  const item = array[index];
  const without = array.filter((_, at) => at !== index);
  const tools = [
    {
      show: index > first,
      icon: IconArrowUp,
      label: 'Move up',
      at: index - 1,
      to: () => moved(array, index, index - 1),
    },
    {
      show: index < array.length - 1,
      icon: IconArrowDown,
      label: 'Move down',
      at: index + 1,
      to: () => moved(array, index, index + 1),
    },
    {
      show: canCopy && item !== undefined,
      icon: IconCopy,
      label: 'Duplicate',
      at: index,
      to: () => [...array.slice(0, index + 1), item ?? null, ...array.slice(index + 1)],
    },
    { show: true, icon: IconTrash, label: 'Remove', at: index, to: () => without },
  ];
  return (
    <div className={classes.itemTools}>
      {tools.map(
        ({ show, icon, label, at, to }) =>
          show && (
            <IconButton
              key={label}
              icon={icon}
              size={22}
              label={`${label} item ${index + 1}`}
              data-tool={label}
              onClick={() => onValue(to(), { tool: label, at })}
            />
          ),
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
