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
  /** A record is shown: the dialog makes room. */
  onShow: () => void;
}

/** Where a request is from, what caused it, and how long it waits. */
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
            {cause ?? 'a request of yours'} <RecordButton seq={item.aboutSeq} onShow={show} />
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

/** The call may stand behind the dialog; ending it need not. */
function CancelCall({ exchangeId }: { exchangeId: ExchangeId }) {
  const host = useHost();
  const [asked, setAsked] = useState(false);
  const cancel = (): void => {
    setAsked(true);
    // Gone already: then its end is on the way. Anything else can be tried again.
    host.call('exchange_cancel', { exchangeId }).catch(() => setAsked(false));
  };
  return (
    <LinkButton disabled={asked} onClick={cancel}>
      {asked ? 'being cancelled' : 'Cancel the call'}
    </LinkButton>
  );
}

function RecordButton({ seq, onShow }: { seq: Seq; onShow: (seq: Seq) => void }) {
  return (
    <LinkButton
      data-tip={`Show record ${seq} in the traffic log; the request goes on waiting`}
      onClick={() => onShow(seq)}
    >
      #{seq}
    </LinkButton>
  );
}
