import { Button } from '@mantine/core';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CommandError } from '../../../contract/generated';
import { type AnsweredRoot, pathOf, rootsAnswer, rootsOf } from '../../../model/inbox/rootsAnswer';
import { rootFolders } from '../../../model/servers/roots/rootWords';
import { type RootDraft, rootsRule } from '../../../model/servers/serverForm';
import { commandError } from '../../../model/store/errors';
import { useHost, useServerPart } from '../../../model/workspace/context';
import { Segments } from '../../../widgets/controls/Segments';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { lastPart } from '../../../widgets/folders/RootFolder';
import { RootFolders } from '../../../widgets/folders/RootFolders';
import classes from '../InputDialog.module.css';
import { AnswerEditor } from '../request/AnswerEditor';
import type { AnswerProps } from '../request/answerProps';

/** A request for roots: the folders that are sent, as fields or as JSON. */
export function RootsRequest(props: AnswerProps) {
  const { item, text, onText } = props;
  const [mode, setMode] = useState<'form' | 'json'>('form');
  const isEditable = rootsOf(text) !== null;
  const isForm = isEditable && mode === 'form';
  return (
    <>
      <div className={classes.summary}>
        <p className={classes.message}>
          The folders that {item.serverName} may work in. Only folders in the answer are sent.
        </p>
      </div>
      <h3 className={classes.heading}>
        Answer
        <span className="pb-grow" />
        <Segments
          label="Edit answer as"
          value={isForm ? 'form' : 'json'}
          onChange={setMode}
          segments={[
            { value: 'form', label: 'Folders', disabled: !isEditable },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </h3>
      <div className={classes.answer} data-answer>
        {isForm ? <FolderFields {...props} /> : <AnswerEditor item={item} text={text} onText={onText} />}
      </div>
    </>
  );
}

/** The folders as they were entered last, with the text that was written for them. */
interface EnteredFolders {
  roots: RootDraft[];
  text: string;
}

function FolderFields({ item, text, onText, onFound, onPending, waits }: AnswerProps) {
  const [edited, setEdited] = useState<EnteredFolders>(() => ({ roots: foldersIn(text), text }));
  // Another text than was written here is of elsewhere: the answer was reset.
  const isOwn = edited.text === text;
  const entered = useMemo(() => (isOwn ? edited : { roots: foldersIn(text), text }), [isOwn, edited, text]);
  /** The URIs of the folders, by path, as the engine writes them; null if it has none for a path. */
  const [uris, setUris] = useState<ReadonlyMap<string, string | null>>(() => urisIn(text));
  /** What was entered last: the URIs may be found before it is drawn. */
  const latest = useRef(entered);
  useLayoutEffect(() => {
    latest.current = entered;
  }, [entered]);
  const write = (roots: RootDraft[], known: typeof uris, to: (text: string) => void): void => {
    const next = { roots, text: answerOf(roots, known) };
    latest.current = next;
    setEdited(next);
    to(next.text);
  };
  const { roots } = entered;
  const isPending = roots.some(({ path }) => path.trim() !== '' && !uris.has(path));
  useEffect(() => {
    onPending(isPending);
    return () => onPending(false);
  }, [isPending, onPending]);
  return (
    <div className={classes.form}>
      <RootFolders
        roots={roots}
        onRoots={(next) => write(next, uris, onText)}
        onFound={(found) => {
          const fresh = [...found].filter(([path, { uri }]) => isNews(uris.get(path), uri));
          if (fresh.length === 0) return;
          const known = new Map([...uris, ...fresh.map(([path, { uri }]) => [path, uri] as const)]);
          setUris(known);
          write(latest.current.roots, known, onFound);
        }}
      />
      {waits && roots.some(({ path }) => path.trim() !== '') && <SaveRoots item={item} roots={roots} />}
    </div>
  );
}

/** Whether the engine says something else about a folder. A URI that it had stays. */
function isNews(known: string | null | undefined, uri: string | null): boolean {
  return known === undefined || (uri !== null && uri !== known);
}

function foldersIn(text: string): RootDraft[] {
  return (rootsOf(text) ?? []).map(({ uri, name }) => ({ path: pathOf(uri), name }));
}

/** The URIs of an answer, by the paths that its fields show. */
function urisIn(text: string): Map<string, string | null> {
  const uris = (rootsOf(text) ?? []).map(({ uri }) => [pathOf(uri), uri] as const);
  return new Map(uris.filter(([path, uri]) => path !== uri));
}

/** The answer with every folder that is shown, once: one without a URI as it was entered, which fails the check. */
function answerOf(roots: RootDraft[], uris: ReadonlyMap<string, string | null>): string {
  const answered = new Map<string, AnsweredRoot>();
  for (const { path, name } of roots) {
    const uri = uris.get(path) ?? path;
    if (path.trim() === '' || answered.has(uri)) continue;
    answered.set(uri, { uri, name: name.trim() === '' ? (lastPart(path) ?? '') : name.trim() });
  }
  return rootsAnswer([...answered.values()]);
}

/** Makes these folders the answer to every further request of the server. */
function SaveRoots({ item, roots }: { item: AnswerProps['item']; roots: RootDraft[] }) {
  const host = useHost();
  const draft = useServerPart(item.serverId, (server) => server?.draft ?? null);
  const [isSaving, setSaving] = useState(false);
  /** The folders that were saved: others are not. */
  const [saved, setSaved] = useState<RootDraft[] | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  if (draft === null) return null;
  const save = async (): Promise<void> => {
    setSaving(true);
    setError(null);
    try {
      const next = { ...draft, roots: rootsRule(roots) };
      await host.call('server_update', {
        serverId: item.serverId,
        draft: next,
        chosenRoots: rootFolders(roots).map(({ path }) => path),
      });
      setSaved(roots);
    } catch (thrown) {
      setError(commandError(thrown));
    }
    setSaving(false);
  };
  return (
    <div className={classes.pageTools}>
      <Button variant="default" size="compact-sm" loading={isSaving} onClick={() => void save()}>
        Always send these folders to {item.serverName}
      </Button>
      {saved !== null && isSameFolders(saved, roots) && (
        <span role="status">Saved in the server settings.</span>
      )}
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </div>
  );
}

function isSameFolders(a: RootDraft[], b: RootDraft[]): boolean {
  return (
    a.length === b.length && a.every(({ path, name }, at) => path === b[at]?.path && name === b[at].name)
  );
}
