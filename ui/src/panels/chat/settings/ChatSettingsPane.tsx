import { NumberInput, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { Waiting } from '../../../widgets/status/Waiting';
import { Rules } from './Rules';
import type { SettingsProps } from './settingsProps';
import { Temperature } from './Temperature';
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

/** Saved when the field is left. */
function SystemPrompt({ conversation, settings }: SettingsProps) {
  const [text, setText] = useState(settings.systemPrompt);
  return (
    <Textarea
      aria-label="System prompt"
      placeholder="None. Server instructions that you select are appended to it."
      value={text}
      autosize
      minRows={3}
      maxRows={12}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => text !== settings.systemPrompt && void conversation.set({ systemPrompt: text })}
    />
  );
}

function Limits({ conversation, settings }: SettingsProps) {
  return (
    <div className={classes.limits}>
      <NumberInput
        label="Max tokens per answer"
        value={settings.maxTokens}
        min={1}
        max={1_000_000}
        onBlur={({ currentTarget: { value } }) => {
          const next = Number(value.replaceAll(',', ''));
          if (next > 0) void conversation.set({ maxTokens: Math.min(1_000_000, Math.floor(next)) });
        }}
      />
      <Temperature conversation={conversation} settings={settings} />
      <Thinking conversation={conversation} settings={settings} />
      <NumberInput
        label="Max answers per turn"
        value={settings.maxRounds}
        min={1}
        max={1_000}
        onChange={(next) => {
          if (typeof next === 'number' && next >= 1) void conversation.set({ maxRounds: Math.floor(next) });
        }}
      />
      <NumberInput
        label="Max tokens per turn"
        value={settings.maxTurnTokens}
        min={1}
        max={100_000_000}
        onBlur={({ currentTarget: { value } }) => {
          const next = Number(value.replaceAll(',', ''));
          if (next > 0) void conversation.set({ maxTurnTokens: Math.min(100_000_000, Math.floor(next)) });
        }}
      />
    </div>
  );
}
