import { Button, CopyButton, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import type { AttemptItem, RunItem, ServerId } from '../../contract/generated';
import { useAuthorization, useHost, useModel } from '../../model/workspace/context';
import { scopesOf } from '../../model/authorization/authorizationWords';
import { isOfBrowser } from '../../model/authorization/sequence';
import { commandError } from '../../model/store/errors';
import { Elapsed } from '../../widgets/status/RecordStatus';
import classes from './authorization.module.css';

interface BrowserWaitProps {
  serverId: ServerId;
  run: RunItem;
  since: number | null;
}

/** The user is in the browser: the URL to open, and a way back for a browser on another machine. */
export function BrowserWait({ serverId, run, since }: BrowserWaitProps) {
  const host = useHost();
  const [problem, setProblem] = useState<string | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const { authorizationUrl: url, redirectUri } = run;
  const isNew = run.awaitsOpen === true && !wasOpened;
  const notOpened = wasOpened ? undefined : run.steps.flatMap(({ attempts }) => attempts).find(isOfBrowser);

  async function open(address: string): Promise<void> {
    setProblem(null);
    try {
      await host.call('link_open', { url: address });
      setWasOpened(true);
    } catch (thrown) {
      setProblem(commandError(thrown).message);
    }
  }

  return (
    <section className={classes.ask} aria-label="In the browser">
      <p className={classes.askTitle}>
        {titleOf(isNew ? url : null, notOpened)}
        {since !== null && (
          // Not for a screen reader: it would read ten numbers a second.
          <span className={`${classes.dim} pb-num`} aria-hidden>
            <Elapsed sinceAtMs={since} />
          </span>
        )}
      </p>
      {url !== null && (
        <>
          <p className={classes.note}>{noteOf(isNew ? url : null, notOpened)}</p>
          <p className={`${classes.url} pb-mono`} aria-label="Authorization URL">
            {url}
          </p>
          <div className={classes.buttons}>
            <Button
              variant={isNew || notOpened !== undefined ? 'filled' : 'default'}
              leftSection={<IconExternalLink size={16} />}
              onClick={() => void open(url)}
            >
              {isNew || notOpened !== undefined ? 'Open in browser' : 'Open again'}
            </Button>
            <CopyButton value={url}>
              {({ copied, copy }) => (
                <Button
                  variant="default"
                  leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                  onClick={copy}
                >
                  {copied ? 'Copied' : 'Copy URL'}
                </Button>
              )}
            </CopyButton>
          </div>
          {problem !== null && (
            <p className={classes.problem} role="alert">
              {problem}
            </p>
          )}
        </>
      )}
      <PasteBack serverId={serverId} run={run} redirectUri={redirectUri} />
    </section>
  );
}

/** `newUrl`: the URL at a site that is opened only if the user agrees. */
function titleOf(newUrl: string | null, notOpened: AttemptItem | undefined): string {
  if (newUrl !== null) return `Sign in at ${hostOf(newUrl)}?`;
  return notOpened === undefined ? 'Continue in the browser' : 'Open this URL in a browser';
}

function noteOf(newUrl: string | null, notOpened: AttemptItem | undefined): string {
  if (newUrl !== null) {
    return `You have not signed in at this site for this server before. ${scopesAskedFor(newUrl)} Open it only if you expect this.`;
  }
  if (notOpened === undefined) {
    return 'This URL should be open in your browser. Sign in and approve access there; the browser then returns to Patchbay.';
  }
  const next =
    'Open this URL yourself. Sign in and approve access there; the browser then returns to Patchbay.';
  return `${notOpened.words} ${next}`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** The scopes in an authorization URL, as a sentence. */
function scopesAskedFor(url: string): string {
  const scopes = URL.canParse(url) ? (new URL(url).searchParams.get('scope') ?? '') : '';
  const all = scopesOf(scopes);
  return all.length === 0 ? 'It requests no scopes.' : `Scopes: ${all.join(', ')}.`;
}

/** For a browser on another machine: it ends at a URL of that machine, where nothing listens. */
function PasteBack({
  serverId,
  run,
  redirectUri,
}: {
  serverId: ServerId;
  run: RunItem;
  redirectUri: string | null;
}) {
  const { authorizations } = useModel();
  const { replying } = useAuthorization(serverId);
  const [text, setText] = useState('');

  async function send(): Promise<void> {
    const pasted = text.trim();
    if (pasted === '') return;
    // A code works once; it is not stored.
    setText('');
    await authorizations.answer(serverId, run.id, { type: 'callback', text: pasted });
  }

  return (
    <form
      className={classes.paste}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextInput
        label="Browser on another machine?"
        description={`There, sign-in ends at a URL that begins with ${redirectUri ?? 'http://localhost'} and cannot be loaded. Paste the full URL, or only its code.`}
        placeholder={`${redirectUri ?? 'http://localhost/callback'}?code=…&state=…`}
        value={text}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={text.trim() === ''} loading={replying}>
        Submit
      </Button>
    </form>
  );
}
