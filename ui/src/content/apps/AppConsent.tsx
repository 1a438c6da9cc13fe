import { Button, Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { AppFrameId, ChatId, CommandError, ToolItem } from '../../contract/generated';
import { useHost, useModel } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { ConfirmCall } from '../../widgets/controls/ConfirmCall';
import classes from './app.module.css';

interface LinkQuestion {
  type: 'link';
  url: string;
}
interface CallQuestion {
  type: 'call';
  tool: ToolItem;
  argumentsJson: string;
}
interface MessageQuestion {
  type: 'message';
  text: string;
}
type ConsentQuestion = LinkQuestion | CallQuestion | MessageQuestion;
type PendingQuestion = ConsentQuestion & { answer: (yes: boolean) => void };

/** When to ask for the next call of the same tool by the same app. */
const CHOICES = [
  { mode: 'each', label: 'Ask before each call from this app' },
  { mode: 'whileOpen', label: 'Let this app call the tool while it is open' },
] as const;

/**
 * Asks the person for an app; one question at a time, any other is answered with no. What it says to a model goes to the draft of
 * `chatId`; without one, of the conversation that is shown. `frameId` is null while no app is open: what was allowed, and what
 * is asked, ends with its frame.
 */
export function useAppConsent(
  uri: string,
  serverName: string,
  chatId: ChatId | null,
  frameId: AppFrameId | null,
) {
  const [question, setQuestion] = useState<PendingQuestion | null>(null);
  /** Answers the question that is open. */
  const pending = useRef<((yes: boolean) => void) | null>(null);
  /** The tools that this app may call without asking while it is open. */
  const allowed = useRef(new Set<string>());
  useEffect(() => {
    const ofFrame = allowed.current;
    return () => {
      ofFrame.clear();
      pending.current?.(false);
    };
  }, [frameId]);
  const ask = (next: ConsentQuestion): Promise<boolean> => {
    if (pending.current !== null) return Promise.resolve(false);
    return new Promise((resolve) => {
      const answer = (yes: boolean): void => {
        pending.current = null;
        setQuestion(null);
        resolve(yes);
      };
      pending.current = answer;
      setQuestion({ ...next, answer });
    });
  };
  return {
    asks: {
      onLink: (url: string) => ask({ type: 'link', url }),
      onMessage: (text: string) => ask({ type: 'message', text }),
      onDestructiveCall: (tool: ToolItem, argumentsJson: string) =>
        allowed.current.has(tool.name) ? Promise.resolve(true) : ask({ type: 'call', tool, argumentsJson }),
    },
    dialog:
      question === null ? null : question.type === 'link' ? (
        <OpenLink uri={uri} url={question.url} onAnswer={question.answer} />
      ) : question.type === 'message' ? (
        <AddToDraft uri={uri} chatId={chatId} text={question.text} onAnswer={question.answer} />
      ) : (
        <ConfirmCall
          opened
          tool={question.tool.name}
          hints={question.tool.hints}
          serverName={serverName}
          asker={`The app ${uri}`}
          argumentsJson={question.argumentsJson}
          choices={CHOICES}
          onClose={() => question.answer(false)}
          onCall={(mode) => {
            if (mode === 'whileOpen') allowed.current.add(question.tool.name);
            question.answer(true);
          }}
        />
      ),
  };
}

interface OpenLinkProps {
  uri: string;
  url: string;
  onAnswer: (yes: boolean) => void;
}

/** Shows where a link of an app leads, and opens it in the system browser. */
function OpenLink({ uri, url, onAnswer }: OpenLinkProps) {
  const host = useHost();
  const [error, setError] = useState<CommandError | null>(null);
  const name = hostOf(url);
  const open = async (): Promise<void> => {
    try {
      await host.call('link_open', { url });
      onAnswer(true);
    } catch (thrown) {
      setError(commandError(thrown));
    }
  };
  return (
    <Modal opened onClose={() => onAnswer(false)} title="Open in the browser?">
      <p className={classes.question}>
        The app <code>{uri}</code> requests permission to open
        {name === null ? ' this URL:' : <b className="pb-mono"> {name}</b>}
      </p>
      {/* All of it is opened, so all is shown; how much more there is, where `drawn` cuts it. Scrolled by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <p className={`${classes.address} pb-mono pb-selectable`} tabIndex={0}>
        {url}
      </p>
      {name?.includes('xn--') === true && (
        <p className={classes.warning}>The host name contains characters that can be mistaken for others.</p>
      )}
      {error !== null && <CommandAlert error={error} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onAnswer(false)} data-autofocus>
          Cancel
        </Button>
        <Button onClick={() => void open()}>Open</Button>
      </div>
    </Modal>
  );
}

interface AddToDraftProps {
  uri: string;
  chatId: ChatId | null;
  text: string;
  onAnswer: (yes: boolean) => void;
}

/** Shows what an app wants to say to a model. It becomes part of a draft: only the user sends it. */
function AddToDraft({ uri, chatId, text, onAnswer }: AddToDraftProps) {
  const { chats } = useModel();
  return (
    <Modal opened onClose={() => onAnswer(false)} title="Add this text to your conversation?">
      <p className={classes.question}>
        The app <code>{uri}</code> requests permission to send this text to a model. It is added to your draft{' '}
        {chatId === null ? 'in Chat' : 'below'}; nothing is sent until you send the draft.
      </p>
      {/* Scrolled by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <p className={`${classes.text} pb-selectable`} tabIndex={0}>
        {text}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onAnswer(false)} data-autofocus>
          Cancel
        </Button>
        <Button
          onClick={() => {
            // Without a conversation, the chat takes it when it is shown: it knows whether the selected one has a draft.
            chats.hand(chatId, text);
            onAnswer(true);
          }}
        >
          Add to draft
        </Button>
      </div>
    </Modal>
  );
}

/** The host of an address, in ASCII. */
function hostOf(url: string): string | null {
  try {
    return new URL(url).host || null;
  } catch {
    return null;
  }
}
