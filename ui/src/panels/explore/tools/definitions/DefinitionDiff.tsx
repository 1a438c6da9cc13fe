import { type ReactNode, useEffect, useState } from 'react';
import { CodeText } from '../../../../widgets/code/CodeView';
import { type Loaded, showLoaded } from '../../../../widgets/code/useBodyText';
import { Failed, Waiting } from '../../../../widgets/status/Waiting';
import classes from './definitions.module.css';
import { CodeMarks } from '../../../../widgets/text/CodeMarks';
import { TextChange } from './TextChange';

/** How much is compared word by word, all changes together in characters: there may be 500 of 64 KiB. */
const MAX_COMPARED = 40_000;

/** What every comparison of two definitions has. */
interface Diff {
  before: string[];
  after: string[];
  changes: { pointer: string; words: string; before: string | null; after: string | null }[];
  more: boolean;
}

interface DefinitionDiffProps<T extends Diff> {
  /** Requests the comparison; another function requests it again. */
  load: () => Promise<T>;
  /** The accessible name. */
  label: string;
  name: string;
  /** Beside the name. */
  renderAction?: (diff: T) => ReactNode;
  /** Paragraphs above the changes. */
  notes: (diff: T) => string[];
}

/** How a definition differs from an earlier one: each change in words, or the definition if there is only one. */
export function DefinitionDiff<T extends Diff>({
  load,
  label,
  name,
  renderAction,
  notes,
}: DefinitionDiffProps<T>) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  useEffect(() => showLoaded(load(), setLoaded), [load]);
  if (loaded.state === 'loading') return <Waiting text="Comparing…" />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  const { before, after, changes, more } = loaded.value;
  const compared = comparedOf(changes);
  return (
    <section className={classes.detail} aria-label={label}>
      <header className={classes.detailHead}>
        <h3>{name}</h3>
        {renderAction?.(loaded.value)}
      </header>
      {notes(loaded.value).map((note) => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
      {changes.length > 0 && (
        <ol className={classes.changes}>
          {changes.map((change, at) => (
            <li key={`${change.pointer} ${change.words}`}>
              <p>
                <CodeMarks text={change.words} />
              </p>
              <TextChange before={change.before} after={change.after} isRough={at >= compared} />
            </li>
          ))}
        </ol>
      )}
      {more && <p className={classes.note}>Not all changes are listed here.</p>}
      {changes.length === 0 &&
        (after.length > 0 ? after : before).map((text, at) => (
          // Definitions of the same name have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <CodeText key={at} text={text} language="json" label="Definition" numbered={false} />
        ))}
    </section>
  );
}

/** How many changes are compared word by word: the first of them, and more as long as there are not too many characters. */
function comparedOf(changes: Diff['changes']): number {
  let characters = 0;
  const beyond = changes.findIndex(({ before, after }, at) => {
    characters += (before?.length ?? 0) + (after?.length ?? 0);
    return at > 0 && characters > MAX_COMPARED;
  });
  return beyond < 0 ? changes.length : beyond;
}
