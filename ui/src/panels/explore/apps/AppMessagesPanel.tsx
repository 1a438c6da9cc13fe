import {
  IconArrowLeft,
  IconArrowRight,
  IconClearAll,
  IconInfoCircle,
  IconTerminal2,
  IconX,
  type Icon,
} from '@tabler/icons-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import { formatCount, formatTime } from '../../../model/text/format';
import { indentJson } from '../../../model/text/json';
import type { AppMessage, AppMessageKind } from '../../../model/tools/apps/appLog';
import { useModel, useServerName } from '../../../model/workspace/context';
import { useLayout } from '../../../model/workspace/useLayout';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { IconButton } from '../../../widgets/controls/IconButton';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import { lazyPart } from '../../../widgets/failure/lazyPart';
import { Bar, BarGroup } from '../../../widgets/layout/Bar';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { Pane } from '../../../widgets/layout/Pane';
import { LinkButton } from '../../../widgets/links/LinkButton';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import classes from './messages.module.css';

const nothing = (): void => {};

// The list does not need the code viewer.
const CodeText = lazyPart(async () => (await import('../../../widgets/code/CodeView')).CodeText);

const KINDS: Record<AppMessageKind, { icon: Icon; word: string }> = {
  toHost: { icon: IconArrowLeft, word: 'from app' },
  toApp: { icon: IconArrowRight, word: 'to app' },
  console: { icon: IconTerminal2, word: 'console' },
  host: { icon: IconInfoCircle, word: 'Patchbay' },
};

/** What passes between Patchbay and the apps of servers, and the console of the apps. */
export function AppMessagesPanel({ lead, trail }: { lead: ReactNode; trail: ReactNode }) {
  const { appLog } = useModel();
  const { messages, forgotten } = useStore(appLog);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<number | null>(null);
  const [follow, setFollow] = useState(true);
  const layout = useLayout('app-messages', ['messages', 'message']);
  const rows = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return wanted === '' ? messages : messages.filter((message) => textOf(message).includes(wanted));
  }, [messages, text]);
  const at = rows.findIndex(({ id }) => id === chosen);
  const selected = rows[at];
  return (
    <Pane label="App messages" hasFilter>
      <Bar label="App messages">
        {lead}
        <FilterInput label="Search messages" value={text} delayMs={150} width={200} onChange={setText} />
        <span className={`${classes.count} pb-num`}>
          {text === ''
            ? formatCount(messages.length, 'message')
            : `${formatCount(rows.length)} of ${formatCount(messages.length)}`}
          {forgotten > 0 && ` · ${formatCount(forgotten)} older discarded`}
        </span>
        <BarGroup label="Actions">
          <IconButton icon={IconClearAll} label="Clear app messages" onClick={() => appLog.clear()} />
        </BarGroup>
        {trail}
      </Bar>
      <div className={classes.body}>
        <PanelGroup orientation="horizontal" {...layout}>
          <Panel id="messages" minSize="320px">
            <VirtualRows
              label="App messages"
              count={rows.length}
              rowSize="row-log"
              keyOf={(index) => rows[index]?.id ?? index}
              generation={text}
              onRange={nothing}
              selected={at < 0 ? null : at}
              onSelect={(index) => {
                setFollow(false);
                setChosen(rows[index]?.id ?? null);
              }}
              onEscape={() => setChosen(null)}
              follow={follow}
              onFollow={setFollow}
              reveal={null}
              empty={
                text === '' ? (
                  <EmptyState
                    title="No messages"
                    text="Messages between Patchbay and server apps appear here, with the console output of the apps."
                  />
                ) : (
                  <EmptyState title="No matching messages">
                    <LinkButton onClick={() => setText('')}>Clear filter</LinkButton>
                  </EmptyState>
                )
              }
            >
              {(index) => {
                const message = rows[index];
                return message === undefined ? null : <Row message={message} />;
              }}
            </VirtualRows>
          </Panel>
          {selected !== undefined && (
            <>
              <Separator className="pb-separator" />
              <Panel id="message" defaultSize="42%" minSize="240px">
                <Detail message={selected} onClose={() => setChosen(null)} />
              </Panel>
            </>
          )}
        </PanelGroup>
      </div>
    </Pane>
  );
}

function Row({ message }: { message: AppMessage }) {
  const { atMs, kind, subject, text, tone, uri } = message;
  const { icon: Glyph, word } = KINDS[kind];
  return (
    <div className={classes.row} data-tone={tone ?? undefined}>
      <span className={classes.time}>{formatTime(atMs)}</span>
      <span className={classes.kind} data-kind={kind}>
        <Glyph size={13} aria-hidden /> {word}
      </span>
      <span className={`${classes.uri} pb-ellipsis`}>{uri}</span>
      <span className={`${classes.subject} pb-ellipsis`}>{subject}</span>
      <span className={classes.text}>{text.slice(0, 400)}</span>
    </div>
  );
}

function Detail({ message, onClose }: { message: AppMessage; onClose: () => void }) {
  const { serverId, uri, kind, subject, text } = message;
  const serverName = useServerName(serverId) ?? serverId;
  const isMessage = kind === 'toApp' || kind === 'toHost';
  return (
    <section className={classes.detail} aria-label="Message">
      <header className={classes.head}>
        <b className="pb-ellipsis">{subject === '' ? KINDS[kind].word : subject}</b>
        <span className={`${classes.dim} pb-ellipsis`}>
          {serverName} · {uri}
        </span>
        <IconButton icon={IconX} label="Close" onClick={onClose} />
      </header>
      <div className={classes.json}>
        <PartBoundary resetKey={String(message.id)}>
          <Suspense>
            <CodeText
              text={isMessage ? indentJson(text) : text}
              language={isMessage ? 'json' : 'plain'}
              height="fill"
              label="Message"
            />
          </Suspense>
        </PartBoundary>
      </div>
    </section>
  );
}

function textOf({ kind, subject, text, uri }: AppMessage): string {
  return `${KINDS[kind].word} ${subject} ${uri} ${text}`.toLowerCase();
}
