import { Button, PasswordInput, Radio, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { AuthorizationAnswer, QuestionItem, RunId, ServerId } from '../../contract/generated';
import { useAuthorization, useModel } from '../../model/workspace/context';
import classes from './authorization.module.css';

interface QuestionProps {
  serverId: ServerId;
  runId: RunId;
  question: Exclude<QuestionItem, { type: 'callback' }>;
}

interface AskProps<T extends QuestionItem['type']> {
  question: Extract<QuestionItem, { type: T }>;
  replying: boolean;
  onAnswer: (answer: AuthorizationAnswer) => Promise<boolean>;
}

/** What a run needs from the user to continue. */
export function Question({ serverId, runId, question }: QuestionProps) {
  const { authorizations } = useModel();
  const { replying } = useAuthorization(serverId);
  const onAnswer = (answer: AuthorizationAnswer): Promise<boolean> =>
    authorizations.answer(serverId, runId, answer);
  switch (question.type) {
    case 'chooseServer':
      return <ChooseServer question={question} replying={replying} onAnswer={onAnswer} />;
    case 'client':
      return <Client question={question} replying={replying} onAnswer={onAnswer} />;
    case 'privateAddress':
      return <PrivateAddress question={question} replying={replying} onAnswer={onAnswer} />;
  }
}

function ChooseServer({ question, replying, onAnswer }: AskProps<'chooseServer'>) {
  const [issuer, setIssuer] = useState(question.issuers[0] ?? '');
  return (
    <form
      className={classes.ask}
      aria-label="Choose an authorization server"
      onSubmit={(event) => {
        event.preventDefault();
        void onAnswer({ type: 'chooseServer', issuer });
      }}
    >
      <Radio.Group
        label="The server lists several authorization servers. Where do you want to sign in?"
        value={issuer}
        onChange={setIssuer}
      >
        <Stack gap="xs" mt="xs">
          {question.issuers.map((each) => (
            <Radio key={each} value={each} label={<span className="pb-mono">{each}</span>} />
          ))}
        </Stack>
      </Radio.Group>
      <div className={classes.buttons}>
        <Button type="submit" loading={replying} disabled={issuer === ''}>
          Continue
        </Button>
      </div>
    </form>
  );
}

function Client({ question, replying, onAnswer }: AskProps<'client'>) {
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  return (
    <form
      className={classes.ask}
      aria-label="Client registration"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim() === '') return;
        const answer = { type: 'client' as const, id: id.trim(), secret: secret === '' ? null : secret };
        // Held no longer than needed.
        setSecret('');
        void onAnswer(answer);
      }}
    >
      <p className={classes.askTitle}>Register Patchbay as a client</p>
      <p className={classes.note}>
        <span className="pb-mono">{question.issuer}</span> does not register clients automatically. Register
        Patchbay there yourself, as a native application with{' '}
        {question.redirectUri === null ? (
          <>
            the redirect URI <span className="pb-mono">http://localhost/callback</span> (at any port, or the
            one that the server’s settings fix)
          </>
        ) : (
          'the redirect URI below'
        )}
        , then enter the client ID (and the secret, if any).
      </p>
      {question.redirectUri !== null && (
        <p className={`${classes.url} pb-mono`} aria-label="Redirect URI">
          {question.redirectUri}
        </p>
      )}
      <TextInput
        label="Client ID"
        value={id}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <PasswordInput
        size="xs"
        label="Client secret"
        description="Only if you were given one. Stored in the vault."
        value={secret}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show or mask the secret', tabIndex: 0 }}
        classNames={{ innerInput: 'pb-mono' }}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button type="submit" loading={replying} disabled={id.trim() === ''}>
          Continue
        </Button>
      </div>
    </form>
  );
}

function PrivateAddress({ question, replying, onAnswer }: AskProps<'privateAddress'>) {
  const { url, why } = question;
  return (
    <section className={classes.ask} aria-label="Private address">
      <p className={classes.askTitle}>
        <IconAlertTriangle size={16} color="var(--pb-warn)" aria-hidden />
        The server redirects Patchbay to a private address
      </p>
      <p className={`${classes.url} pb-mono`}>{url}</p>
      <p className={classes.note}>{why}</p>
      <p className={classes.note}>Continue only if you know that this server belongs to this network.</p>
      <div className={classes.buttons}>
        <Button
          loading={replying}
          onClick={() => void onAnswer({ type: 'privateAddress', url, allow: false })}
        >
          Cancel
        </Button>
        <Button
          variant="default"
          disabled={replying}
          onClick={() => void onAnswer({ type: 'privateAddress', url, allow: true })}
        >
          Allow once
        </Button>
      </div>
    </section>
  );
}
