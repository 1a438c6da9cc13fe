import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { ChatSettings } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { Waiting } from '../../../widgets/status/Waiting';
import { NumberSetting } from '../../../widgets/controls/NumberSetting';
import { useTyped } from '../../../widgets/controls/useTyped';
import { Rules } from './Rules';
import type { SettingsProps } from './settingsProps';
import { Thinking } from './Thinking';
import { ToolChoice } from './ToolChoice';
import classes from './settings.module.css';

/** What a conversation is made with: system prompt, limits, tools, rules. */
export function ChatSettingsPane({ conversation }: { conversation: ConversationStore }) {
  const settings = useStore(conversation, (state) => state.settings);
  if (settings === undefined) return <Waiting text="Loading…" />;
  return (
    <aside className={classes.pane} aria-label="Model, tools and rules">
      <Section title="Servers and tools">
        <ToolChoice conversation={conversation} settings={settings} />
      </Section>
      <Section title="System prompt">
        <SystemPrompt conversation={conversation} settings={settings} />
      </Section>
      <Section title="Limits">
        <Limits conversation={conversation} settings={settings} />
      </Section>
      <Section title="Calls that run without asking">
        <Rules conversation={conversation} settings={settings} />
      </Section>
    </aside>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <h3 className={classes.title}>{title}</h3>
      {children}
    </section>
  );
}

/** Saved when the field is left, also by a key that shows something else. */
function SystemPrompt({ conversation, settings }: SettingsProps) {
  const { value, change, save } = useTyped(settings.systemPrompt, async (systemPrompt) =>
    conversation.set({ systemPrompt }),
  );
  return (
    <Textarea
      aria-label="System prompt"
      placeholder="None. Server instructions that you select are appended to it."
      value={value}
      autosize
      minRows={3}
      maxRows={12}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => void save()}
    />
  );
}

function Limits({ conversation, settings }: SettingsProps) {
  const set = async (part: Partial<ChatSettings>): Promise<boolean> => conversation.set(part);
  return (
    <div className={classes.limits}>
      <NumberSetting
        label="Max tokens per answer"
        saved={settings.maxTokens}
        min={1}
        max={1_000_000}
        onSave={(next) => next !== null && set({ maxTokens: next })}
      />
      <NumberSetting
        label="Temperature"
        placeholder="Provider default"
        saved={settings.temperature}
        min={0}
        max={2}
        step={0.1}
        onSave={async (temperature) => set({ temperature })}
      />
      <Thinking conversation={conversation} settings={settings} />
      <NumberSetting
        label="Max answers per turn"
        saved={settings.maxRounds}
        min={1}
        max={1_000}
        onSave={(next) => next !== null && set({ maxRounds: next })}
      />
      <NumberSetting
        label="Max tokens per turn"
        saved={settings.maxTurnTokens}
        min={1}
        max={100_000_000}
        onSave={(next) => next !== null && set({ maxTurnTokens: next })}
      />
    </div>
  );
}
