import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import {
  type ComposerDraft,
  composerDisabledReason,
  emptyComposerDraft,
} from '../../../model/exchange/composer';
import { shownExchange } from '../../../model/exchange/exchanges';
import { rawKey } from '../../../model/exchange/request';
import { MAX_LIVE } from '../../../model/text/json';
import { formatCount } from '../../../model/text/format';
import { useModel, useServerPart, useWorkspace } from '../../../model/workspace/context';
import { useLayout } from '../../../model/workspace/useLayout';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import { IconButton } from '../../../widgets/controls/IconButton';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { IconX } from '@tabler/icons-react';
import { CopyMenu } from '../result/CopyMenu';
import { ExchangeResult } from '../result/ExchangeResult';
import { useRunKey } from '../request/useRunKey';
import { LargeText } from './LargeText';
import { ParamsEditor } from './ParamsEditor';
import { ComposerBar } from './ComposerBar';
import { SavedRequests } from './SavedRequests';
import classes from './composer.module.css';

/** Any request or message, valid or not, written by the user and sent to one server. */
export function ComposerPanel({ serverId }: { serverId: ServerId }) {
  const { composer } = useModel();
  const draft = useStore(composer, (drafts) => drafts[serverId] ?? emptyComposerDraft);
  const columns = useLayout('composer', ['saved', 'draft']);
  return (
    <Group orientation="horizontal" className={classes.columns} data-run-scope {...columns}>
      <Panel id="saved" defaultSize="24%" minSize="150px">
        <SavedRequests serverId={serverId} draft={draft} />
      </Panel>
      <Separator className="pb-separator" />
      <Panel id="draft" minSize="320px">
        <Draft serverId={serverId} draft={draft} />
      </Panel>
    </Group>
  );
}

/** The draft, and its outcome. */
function Draft({ serverId, draft }: { serverId: ServerId; draft: ComposerDraft }) {
  const { composer, exchanges, workspace } = useModel();
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const key = rawKey(serverId, draft.method);
  const exchange = useStore(exchanges, (state) => shownExchange(state, key));
  const reason = composerDisabledReason(draft, isReady);
  const root = useRef<HTMLDivElement>(null);
  const layout = useLayout('composer-draft', ['editor', 'result']);

  const send = (): void => {
    if (reason === null && !draft.sending) void composer.send(serverId);
  };
  useRunKey(root, send);

  const takesFocus = useWorkspace(({ focusComposerOf }) => focusComposerOf === serverId);
  const takeFocus = useEffectEvent((): void => {
    workspace.setState({ focusComposerOf: null });
    root.current?.querySelector<HTMLElement>('.cm-content')?.focus();
  });
  useEffect(() => {
    if (takesFocus) takeFocus();
  }, [takesFocus]);

  const isRequest = draft.mode === 'request';
  const text = isRequest ? draft.params : draft.message;
  const isLarge = text.length > MAX_LIVE;
  return (
    <div ref={root} className={classes.draft}>
      <ComposerBar serverId={serverId} draft={draft} disabledReason={reason} onSend={send} />
      <Group orientation="vertical" className={classes.panes} {...layout}>
        <Panel id="editor" minSize="100px">
          <section className={classes.editor} aria-label={isRequest ? 'Params' : 'Message'}>
            <Notes serverId={serverId} draft={draft} />
            {isLarge && !draft.editsLarge ? (
              <LargeText
                text={text}
                label={isRequest ? 'Params' : 'Message'}
                onEdit={() => composer.change(serverId, { editsLarge: true })}
              />
            ) : isRequest ? (
              <ParamsEditor
                method={draft.method}
                text={draft.params}
                asForm={draft.asForm}
                onForm={(asForm) => composer.change(serverId, { asForm })}
                onChange={(params) => composer.change(serverId, { params })}
              />
            ) : (
              <div className={classes.text}>
                <JsonEditor
                  value={draft.message}
                  label="Message"
                  placeholder='{"jsonrpc":"2.0","method":"notifications/…"}'
                  optional
                  onChange={(message) => composer.change(serverId, { message })}
                />
              </div>
            )}
            {reason !== null && isReady && draft.params.trim() !== '' && (
              <p className={classes.reason}>{reason}</p>
            )}
          </section>
        </Panel>
        {isRequest && exchange !== undefined && (
          <>
            <Separator className="pb-separator" />
            <Panel id="result" defaultSize="58%" minSize="120px">
              <ExchangeResult
                key={exchange.id}
                exchange={exchange}
                onCancel={() => void exchanges.cancel(exchange)}
                onAgain={() => exchanges.start(serverId, exchange.request)}
                actions={<CopyMenu exchange={exchange} />}
              />
            </Panel>
          </>
        )}
      </Group>
    </div>
  );
}

/** The repeated record, its masked values, and the message that was sent last. */
function Notes({ serverId, draft }: { serverId: ServerId; draft: ComposerDraft }) {
  const { composer } = useModel();
  const { repeats, masked, held, sent, error, mode, replaced } = draft;
  return (
    <>
      {replaced !== null && (
        <div className={classes.note}>
          <span>What you wrote before is kept.</span>
          <Button variant="subtle" size="compact-xs" onClick={() => composer.restore(serverId)}>
            Restore
          </Button>
          <IconButton
            icon={IconX}
            label="Discard what was replaced"
            onClick={() => composer.change(serverId, { replaced: null })}
          />
        </div>
      )}
      {repeats !== null && (
        <div className={classes.note}>
          <span>Repeats</span>
          <RecordLink seq={repeats} label={`#${repeats}`} />
          {masked > 0 && (
            <span className={classes.warning}>
              {formatCount(masked, 'value')} masked in the traffic log: replace the asterisks before sending.
            </span>
          )}
          <IconButton
            icon={IconX}
            label="Unlink from this record"
            onClick={() => composer.change(serverId, { repeats: null, masked: 0 })}
          />
        </div>
      )}
      {held !== null && (
        <output className={classes.note} aria-live="polite">
          <span className={classes.warning}>{held}</span>
        </output>
      )}
      {error !== null && <CommandAlert error={error} inPane />}
      {mode === 'message' && sent !== null && (
        <output className={classes.note} aria-live="polite">
          <span>Sent. The traffic log shows the response.</span>
          <RecordLink seq={sent} label={`#${sent}`} />
        </output>
      )}
    </>
  );
}
