import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ServerId } from '../../../contract/generated';
import { isUnderWay, scopesOf } from '../../../model/authorization/authorizationWords';
import { useAuthorization, useModel, useServerPart } from '../../../model/workspace/context';
import classes from './TokenView.module.css';

interface ScopesEditorProps {
  serverId: ServerId;
  /** What the token allows; none without a token. */
  granted: readonly string[] | null;
}

/** The scopes of the token, and asking for others. */
export function ScopesEditor({ serverId, granted }: ScopesEditorProps) {
  const { authorizations } = useModel();
  const { busy, data } = useAuthorization(serverId);
  const set = useServerPart(serverId, (server) => server?.draft.authorization?.scopes);
  /** None until the user types. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? set ?? granted?.join(' ') ?? '';
  const wanted = scopesOf(text);
  const underWay = isUnderWay(data?.run ?? null);

  return (
    <section className={classes.section} aria-label="Scopes">
      <h3 className={classes.heading}>Scopes</h3>
      {granted !== null && (
        <ul className={classes.scopes} aria-label="Granted scopes">
          {granted.length === 0 && <li className={classes.dim}>The authorization server named none.</li>}
          {granted.map((scope) => (
            <li key={scope} className={`${classes.scope} pb-mono`}>
              {scope}
            </li>
          ))}
        </ul>
      )}
      <form
        className={classes.ask}
        onSubmit={(event) => {
          event.preventDefault();
          if (underWay) return;
          // Without a run there is nothing to go on from.
          const from = data?.run === null ? null : 'authorization';
          void authorizations.start(serverId, from, wanted.length === 0 ? null : wanted);
        }}
      >
        <TextInput
          label="Ask for"
          description={
            set === undefined
              ? 'Separated by spaces. For this run only; the server’s settings can fix them.'
              : 'Separated by spaces. The server’s settings fix them; what stands here is for this run only.'
          }
          placeholder="what the server names"
          value={text}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={busy} disabled={underWay}>
          Ask for these
        </Button>
      </form>
    </section>
  );
}
