import { useState } from 'react';
import type { ExchangeId, InputItem, Seq } from '../../contract/generated';
import { useHost, useReveal } from '../../model/workspace/context';
import { useCause } from '../../model/inbox/useCause';
import { LinkButton } from '../../widgets/links/LinkButton';
import { Elapsed } from '../../widgets/status/RecordStatus';
import classes from './InputDialog.module.css';

interface InputFactsProps {
  item: InputItem;
  waits: boolean;
  /** Called before a record is shown: the dialog closes. */
  onShow: () => void;
}

/** The method of a request, the call that caused it, and how long it has been waiting. */
export function InputFacts({ item, waits, onShow }: InputFactsProps) {
  const reveal = useReveal();
  const cause = useCause(item.aboutSeq);
  const show = (seq: Seq): void => {
    onShow();
    reveal(seq);
  };
  return (
    <dl className={`${classes.facts} pb-selectable`}>
      <dt>Method</dt>
      <dd>
        <code>{item.method}</code> <RecordButton seq={item.seq} onShow={show} />
      </dd>
      {item.aboutSeq !== null && (
        <>
          <dt>Caused by</dt>
          <dd>
            {cause ?? 'a request you sent'} <RecordButton seq={item.aboutSeq} onShow={show} />
            {waits && item.aboutExchange !== null && <CancelCall exchangeId={item.aboutExchange} />}
          </dd>
        </>
      )}
      {item.round !== null && (
        <>
          <dt>Round</dt>
          <dd className="pb-num">{item.round}</dd>
        </>
      )}
      {waits && (
        <>
          <dt>Waiting</dt>
          <dd className="pb-num" aria-hidden>
            <Elapsed sinceAtMs={item.waitingSinceMs} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Cancels the call without closing the dialog. */
function CancelCall({ exchangeId }: { exchangeId: ExchangeId }) {
  const host = useHost();
  const [asked, setAsked] = useState(false);
  const cancel = (): void => {
    setAsked(true);
    // `notFound`: it has ended and its outcome is about to arrive. After any other error the user can try again.
    host.call('exchange_cancel', { exchangeId }).catch(() => setAsked(false));
  };
  return (
    <LinkButton disabled={asked} onClick={cancel}>
      {asked ? 'Cancelling …' : 'Cancel call'}
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
