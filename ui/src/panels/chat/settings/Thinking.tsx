import { NativeSelect } from '@mantine/core';
import type { ChatEffort, ChatThinking } from '../../../contract/generated';
import { NumberSetting } from '../../../widgets/controls/NumberSetting';
import type { SettingsProps } from './settingsProps';
import classes from './settings.module.css';

/** The choices; `budget` has a number besides. */
type Choice = 'default' | ChatEffort | 'budget';

const CHOICES: { value: Choice; label: string }[] = [
  { value: 'default', label: 'Provider default' },
  { value: 'low', label: 'Low effort' },
  { value: 'medium', label: 'Medium effort' },
  { value: 'high', label: 'High effort' },
  { value: 'budget', label: 'Token budget' },
];

/** The smallest budget that providers take, in tokens, and the largest. */
const LEAST = 1_024;
const MOST = 1_000_000;
const USUAL = 4_096;

/** How much the model thinks before it answers. */
export function Thinking({ conversation, settings: { thinking } }: SettingsProps) {
  const set = async (next: ChatThinking): Promise<boolean> => conversation.set({ thinking: next });
  return (
    <>
      <NativeSelect
        label="Thinking"
        value={thinking.type === 'effort' ? thinking.effort : thinking.type}
        data={CHOICES}
        onChange={({ currentTarget: { value } }) => void set(thinkingOf(value as Choice))}
      />
      {thinking.type === 'budget' && (
        <NumberSetting
          label="Thinking budget (tokens)"
          saved={thinking.tokens}
          min={LEAST}
          max={MOST}
          onSave={(tokens) => tokens !== null && set({ type: 'budget', tokens })}
        />
      )}
      {thinking.type !== 'default' && (
        <p className={`${classes.facts} ${classes.wide}`}>
          Models without thinking may reject this. OpenAI and newer Anthropic models accept only an effort.
          Anthropic accepts no temperature with thinking, so none is sent.
        </p>
      )}
    </>
  );
}

function thinkingOf(choice: Choice): ChatThinking {
  if (choice === 'default') return { type: 'default' };
  return choice === 'budget' ? { type: 'budget', tokens: USUAL } : { type: 'effort', effort: choice };
}
