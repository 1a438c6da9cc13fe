import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { type FilterTerm, termsFor, withTerm } from '../../model/traffic/view/filterTerms';
import { useShortcutText, withShortcut } from '../../model/workspace/shortcuts/bound';
import { listBeside } from '../focus/listFocus';
import classes from './FilterInput.module.css';

interface FilterInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** How long to wait for further keys before `onChange` is called, in ms. */
  delayMs: number;
  /** Why the text is not a filter, and where, in characters. */
  problem?: { at: number; length: number; message: string } | null;
  /** A number is the most it takes in a bar, in px: it yields to what is beside it, down to 136 px. */
  width?: number | '100%';
  /** It has the focus of the dialog that it is in at first. */
  takesFocus?: boolean;
  /** The terms of the language that it takes: proposed while one is typed. */
  terms?: readonly FilterTerm[];
}

const NO_TERMS: readonly FilterTerm[] = [];

/**
 * A filter: a shortcut focuses it, the down arrow goes to the list of its pane, Esc clears it, then leaves it.
 *
 * Plain elements, not Mantine's TextInput: it renders with every key typed, which must be cheap.
 */
export function FilterInput({
  label,
  value,
  onChange,
  delayMs,
  problem = null,
  width,
  takesFocus = false,
  terms = NO_TERMS,
}: FilterInputProps) {
  const id = useId();
  const keys = useShortcutText('filter');
  const [focused, setFocused] = useState(false);
  const [text, setText] = useState(value);
  const [reported, setReported] = useState(value);
  const report = (next: string): void => {
    setReported(next);
    onChange(next);
  };
  // What was typed just before the tab is left counts too.
  const reportSoon = useDebouncedCallback(report, { delay: delayMs, flushOnUnmount: true });
  // The value was changed elsewhere, e.g. because the filter hid a record to reveal.
  if (value !== reported) {
    setReported(value);
    setText(value);
  }

  function change(next: string): void {
    setText(next);
    if (delayMs === 0) report(next);
    else reportSoon(next);
  }

  const proposed = focused ? termsFor(text, terms) : NO_TERMS;

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // An input method that composes a character takes Escape and the arrows itself.
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const isAtEnd = selectionStart === text.length && selectionEnd === text.length;
    if (event.key === 'ArrowRight' && isAtEnd && proposed[0] !== undefined) {
      event.preventDefault();
      change(withTerm(text, proposed[0]));
    }
    if (event.key === 'ArrowDown') {
      const list = listBeside(event.currentTarget);
      if (list === null) return;
      event.preventDefault();
      list.focus();
    }
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (text === '') event.currentTarget.blur();
    else change('');
  }

  const isProblem = problem !== null && text === reported;
  const state = isProblem ? 'invalid' : text.trim() === '' ? undefined : 'active';
  const size = typeof width === 'number' ? { flex: '1 1 120px', maxWidth: width } : { width };
  return (
    <div className={classes.filter} style={size} data-state={state}>
      <IconSearch size={14} aria-hidden />
      <input
        data-filter
        aria-label={label}
        data-autofocus={takesFocus || undefined}
        // The shortcut does not reach into a dialog.
        placeholder={takesFocus ? label : withShortcut(label, keys)}
        value={text}
        spellCheck={false}
        onChange={(event) => change(event.currentTarget.value)}
        // Until what was typed is reported.
        aria-busy={text !== reported || undefined}
        aria-invalid={isProblem || undefined}
        aria-describedby={isProblem ? id : undefined}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      <button
        type="button"
        className={classes.clear}
        aria-label="Clear text"
        data-tip={text === '' ? undefined : 'Clear filter (Esc)'}
        data-empty={text === '' || undefined}
        onClick={() => change('')}
      >
        <IconX size={14} />
      </button>
      {isProblem && <Problem id={id} text={text} {...problem} />}
      {!isProblem && proposed.length > 0 && (
        <Terms terms={proposed} onChoose={(term) => change(withTerm(text, term))} />
      )}
    </div>
  );
}

/** What is wider than the window leaves room for begins at the right end of the field. */
function keepInside(element: HTMLElement | null): void {
  if (element !== null && element.getBoundingClientRect().right > window.innerWidth)
    element.dataset['end'] = '';
}

/** The terms that what is typed may become. The first is taken with →, any with the mouse; the field keeps the focus. */
function Terms({ terms, onChoose }: { terms: readonly FilterTerm[]; onChoose: (term: FilterTerm) => void }) {
  return (
    <ul className={classes.terms} aria-label="Terms of the filter" ref={keepInside}>
      {terms.map((term, i) => (
        <li key={term.key}>
          <button
            type="button"
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(term)}
          >
            <span className="pb-mono">{term.example}</span>
            <span>{term.meaning}</span>
            {i === 0 && <kbd>→</kbd>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The problem of the filter, below it: the text with the wrong part marked, and the reason. */
function Problem({
  id,
  text,
  at,
  length,
  message,
}: { id: string; text: string } & NonNullable<FilterInputProps['problem']>) {
  const characters = Array.from(text);
  return (
    <div className={classes.problem} id={id} role="status" ref={keepInside}>
      <div className="pb-mono">
        {characters.slice(0, at).join('')}
        <mark>{characters.slice(at, at + length).join('')}</mark>
        {characters.slice(at + length).join('')}
      </div>
      {message}
    </div>
  );
}
