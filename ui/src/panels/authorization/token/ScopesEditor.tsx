import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ServerId } from '../../../contract/generated';
import { isUnderWay, scopesOf } from '../../../model/authorization/authorizationWords';
import { useAuthorization, useModel, useServerPart } from '../../../model/workspace/context';
import { useWhyUnused } from '../useWhyUnused';
import classes from './TokenView.module.css';

interface ScopesEditorProps {
  serverId: ServerId;
  /** The scopes of the token; null without one. */
  granted: readonly string[] | null;
}

/** The scopes of the token, and requesting others. */
export function ScopesEditor({ serverId, granted }: ScopesEditorProps) {
  const { authorizations } = useModel();
  const { busy, data } = useAuthorization(serverId);
  const set = useServerPart(serverId, (server) => server?.draft.authorization?.scopes);
  /** Null until the user types. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? set ?? granted?.join(' ') ?? '';
  const wanted = scopesOf(text);
  const unused = useWhyUnused(serverId);
  const isDisabled = isUnderWay(data?.run ?? null) || unused !== null;

  return (
    <section className={classes.section} aria-label="Scopes">
      <h3 className={classes.heading}>Scopes</h3>
      {granted !== null && (
        <ul className={classes.scopes} aria-label="Granted scopes">
          {granted.length === 0 && <li className="pb-dim">The authorization server did not list any.</li>}
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
          if (isDisabled) return;
          // Without a run there is nothing to continue.
          const from = data?.run === null ? null : 'authorization';
          void authorizations.start(serverId, from, wanted.length === 0 ? null : wanted);
        }}
      >
        <TextInput
          label="Request scopes"
          description={
            set === undefined
              ? 'Separated by spaces. For this run only.'
              : 'Separated by spaces. For this run only: the server settings specify fixed scopes.'
          }
          placeholder="Scopes from the server"
          value={text}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={busy}
          disabled={isDisabled}
          data-tip={unused ?? undefined}
        >
          Request
        </Button>
      </form>
    </section>
  );
}
