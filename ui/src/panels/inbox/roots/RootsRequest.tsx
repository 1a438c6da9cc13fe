import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { CommandError } from '../../../contract/generated';
import { pathOf, rootsAnswer, rootsOf } from '../../../model/inbox/rootsAnswer';
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
        <span className={classes.grow} />
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

function FolderFields({ item, text, onText, waits }: AnswerProps) {
  const [roots, setRoots] = useState<RootDraft[]>(() =>
    (rootsOf(text) ?? []).map(({ uri, name }) => ({ path: pathOf(uri), name })),
  );
  /** What was entered last: the URIs may be found before it is drawn. */
  const latest = useRef(roots);
  /** The URIs of the folders, by path, as the engine writes them. */
  const uris = useRef(new Map<string, string>());
  const write = (next: RootDraft[]): void => {
    const known = next.flatMap(({ path, name }) => {
      const uri = uris.current.get(path);
      return uri === undefined
        ? []
        : [{ uri, name: name.trim() === '' ? (lastPart(path) ?? '') : name.trim() }];
    });
    onText(rootsAnswer(known));
  };
  return (
    <div className={classes.form}>
      <RootFolders
        roots={roots}
        onRoots={(next) => {
          latest.current = next;
          setRoots(next);
          write(next);
        }}
        onFound={(found) => {
          const fresh = [...found].filter(
            ([path, { uri }]) => uri !== null && uris.current.get(path) !== uri,
          );
          if (fresh.length === 0) return;
          for (const [path, { uri }] of fresh) if (uri !== null) uris.current.set(path, uri);
          write(latest.current);
        }}
      />
      {waits && roots.some(({ path }) => path.trim() !== '') && <SaveRoots item={item} roots={roots} />}
    </div>
  );
}

/** Makes these folders the answer to every further request of the server. */
function SaveRoots({ item, roots }: { item: AnswerProps['item']; roots: RootDraft[] }) {
  const host = useHost();
  const draft = useServerPart(item.serverId, (server) => server?.draft ?? null);
  const [state, setState] = useState<'unsaved' | 'saving' | 'saved'>('unsaved');
  const [error, setError] = useState<CommandError | null>(null);
  if (draft === null) return null;
  const save = async (): Promise<void> => {
    setState('saving');
    setError(null);
    try {
      const next = { ...draft, roots: rootsRule(roots) };
      await host.call('server_update', {
        serverId: item.serverId,
        draft: next,
        chosenRoots: rootFolders(roots).map(({ path }) => path),
      });
      setState('saved');
    } catch (thrown) {
      setError(commandError(thrown));
      setState('unsaved');
    }
  };
  return (
    <div className={classes.pageTools}>
      <Button variant="default" size="compact-sm" loading={state === 'saving'} onClick={() => void save()}>
        Always send these folders to {item.serverName}
      </Button>
      {state === 'saved' && <span role="status">Saved in the server settings.</span>}
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </div>
  );
}
