import { Progress } from '@mantine/core';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ProviderItem } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { percentOf, usageOf } from '../../../model/chat/usage';
import { dollars } from '../../../model/inbox/sampling/providers';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import classes from './composer.module.css';

/** From this part of the context, in percent, the meter warns: the next answers may not fit. */
const TIGHT = 80;
const NO_PROVIDERS: readonly ProviderItem[] = [];

/** How much of the model's context the conversation takes, and what its answers have cost. Nothing before an answer was counted. */
export function ContextMeter({ conversation }: { conversation: ConversationStore }) {
  const { providers } = useModel();
  const listed = useStore(providers, (state) => state.items) ?? NO_PROVIDERS;
  const items = useStore(conversation, (state) => state.items);
  const answers = useStore(conversation, (state) => state.settings?.answers);
  const usage = useMemo(
    () => (answers === undefined ? undefined : usageOf(items, answers, listed)),
    [items, answers, listed],
  );
  if (usage === undefined || usage.context === null) return null;
  const { context, size, cost, unpriced } = usage;
  const percent = size === null ? null : (100 * context) / size;
  const isTight = percent !== null && percent >= TIGHT;
  const tokens =
    size === null
      ? formatCount(context, 'token')
      : `${formatCount(context)} of ${formatCount(size, 'token')} (${percentOf(context, size)})`;
  const spent = cost === null ? '' : ` · $${dollars(cost)}`;
  return (
    <span
      className={classes.meter}
      role="group"
      aria-label="Model context"
      data-tip={[
        'Input and output tokens of the latest answer. The next request sends them again.',
        cost === null
          ? ''
          : 'Cost of the shown answers at the provider’s list prices, without other versions and failed requests.',
        cost === null || unpriced === 0
          ? ''
          : `${formatCount(unpriced, 'answer is', 'answers are')} not included: price or token count unknown.`,
        isTight
          ? 'The context is almost full. Start a new conversation, or fork this one at an earlier message.'
          : '',
      ]
        .filter(Boolean)
        .join(' ')}
    >
      {percent !== null && (
        <Progress
          className={classes.gauge}
          value={Math.min(100, percent)}
          size="sm"
          color={isTight ? 'var(--pb-warn)' : 'gray'}
          aria-label="Context used"
        />
      )}
      <span className={classes.hint}>
        {tokens}
        {spent}
        {cost !== null && unpriced > 0 && '+'}
      </span>
      {isTight && <span className={classes.tight}>Nearly full</span>}
    </span>
  );
}
