import { IconArrowRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExchangeId, InputItem, InputTurn, Seq } from '../../../contract/generated';
import { cancelCall } from '../../../model/exchange/cancelCall';
import { type Cause, causeOf, turnInWords, useCause } from '../../../model/inbox/useCause';
import { useActions } from '../../../model/workspace/actions';
import { formatCount } from '../../../model/text/format';
import { useHost, useModel, useReveal } from '../../../model/workspace/context';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { LinkButton } from '../../../widgets/links/LinkButton';
import { Elapsed } from '../../../widgets/status/RecordStatus';
import classes from '../InputDialog.module.css';
import { SimulatorLink } from '../simulator/SimulatorNote';

interface InputFactsProps {
  item: InputItem;
  waits: boolean;
  /** Called before a record is shown: the dialog closes. */
  onShow: () => void;
}

/** The method of a request, the call that caused it, and how long it has been waiting. */
export function InputFacts({ item, waits, onShow }: InputFactsProps) {
  const reveal = useReveal();
  const show = (seq: Seq): void => {
    onShow();
    reveal(seq);
  };
  return (
    <div className={classes.facts}>
      <Facts names={72} size="small">
        <Fact name="Method" className={classes.links}>
          <span>
            <code>{item.method}</code> <RecordButton seq={item.seq} onShow={show} />
          </span>
          {item.round !== null && <span className={classes.fainter}>round {item.round}</span>}
        </Fact>
        <CauseFact item={item} cause={causeOf(item)} waits={waits} onShow={show} />
        {waits && (
          <Fact name="Waiting" className={classes.links}>
            <span className="pb-num" aria-hidden>
              <Elapsed sinceAtMs={item.waitingSinceMs} />
            </span>
            <SimulatorLink item={item} />
          </Fact>
        )}
      </Facts>
    </div>
  );
}

interface CauseFactProps {
  item: InputItem;
  cause: Cause;
  waits: boolean;
  onShow: (seq: Seq) => void;
}

/** The call that a request belongs to, with the turn of a conversation around it; or those it may belong to. */
function CauseFact({ item, cause, waits, onShow }: CauseFactProps) {
  const words = useCause(cause.type === 'one' ? cause.seq : null);
  switch (cause.type) {
    case 'none':
      return null;
    case 'one':
      return (
        <Fact name="Caused by" className={classes.links}>
          <span>
            {cause.turn !== null && <TurnLink item={item} turn={cause.turn} />}
            {words ?? 'a request you sent'} <RecordButton seq={cause.seq} onShow={onShow} />
          </span>
          {waits && item.callEnd === undefined && cause.exchange !== null && (
            <CancelCall exchangeId={cause.exchange} />
          )}
          {!cause.isCertain && (
            <span
              className={classes.fainter}
              data-tip="On this transport, a request does not identify the call that it belongs to."
            >
              the only request in progress
            </span>
          )}
        </Fact>
      );
    case 'several':
      return (
        <Fact name="Caused by">
          <span data-tip="On this transport, a request does not identify the call that it belongs to.">
            one of {formatCount(cause.seqs.length, 'running request')}:{' '}
            {cause.seqs.map((seq) => (
              <span key={seq}>
                <RecordButton seq={seq} onShow={onShow} />{' '}
              </span>
            ))}
          </span>
        </Fact>
      );
  }
}

/** Leads to the conversation. The dialog stays open beside it. */
function TurnLink({ item, turn }: { item: InputItem; turn: InputTurn }) {
  const { ui } = useModel();
  const actions = useActions();
  const words = turnInWords(turn);
  return (
    <>
      <LinkButton
        data-tip="Show the conversation"
        onClick={() => {
          actions.show(item.serverId, 'chat');
          ui.setState({ selectedChat: turn.chatId });
        }}
      >
        {words.charAt(0).toUpperCase()}
        {words.slice(1)}
      </LinkButton>{' '}
      <IconArrowRight size={12} className={classes.then} role="img" aria-label="then" />{' '}
    </>
  );
}

/** Cancels the call without closing the dialog. */
function CancelCall({ exchangeId }: { exchangeId: ExchangeId }) {
  const host = useHost();
  const [asked, setAsked] = useState(false);
  const cancel = (): void => {
    setAsked(true);
    // After an error the user can try again.
    cancelCall(host, exchangeId).catch(() => setAsked(false));
  };
  return (
    <LinkButton disabled={asked} onClick={cancel}>
      {asked ? 'Cancelling…' : 'Cancel call'}
    </LinkButton>
  );
}

function RecordButton({ seq, onShow }: { seq: Seq; onShow: (seq: Seq) => void }) {
  return (
    <LinkButton
      data-tip={`Show record ${seq} in the traffic log; the request stays pending`}
      onClick={() => onShow(seq)}
    >
      #{seq}
    </LinkButton>
  );
}
