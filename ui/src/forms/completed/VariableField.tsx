import { Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import type { ServerId } from '../../contract/generated';
import { useCompletion } from '../../model/form/useCompletion';
import type { VariableDraft } from '../../model/lists/resources/resourceViews';
import { useServerPart } from '../../model/workspace/context';
import { CompletedText } from './CompletedText';
import { Segments } from '../../widgets/controls/Segments';
import classes from './VariableField.module.css';

const EMPTY: VariableDraft = { kind: 'text', text: '' };
const PLACEHOLDERS = { list: 'One value per line', pairs: 'One name=value per line' } as const;

interface VariableFieldProps {
  serverId: ServerId;
  uriTemplate: string;
  name: string;
  /** Whether the server declares completions. */
  canComplete: boolean;
  drafts: Readonly<Record<string, VariableDraft>>;
  onChange: (draft: VariableDraft) => void;
}

/** One variable of a template. While it has the focus, the server proposes values, given those of the others. */
export function VariableField(props: VariableFieldProps) {
  const { serverId, uriTemplate, name, canComplete, drafts, onChange } = props;
  const id = useId();
  const draft = drafts[name] ?? EMPTY;
  const [isFocused, setIsFocused] = useState(false);
  const connectionId = useServerPart(serverId, (server) =>
    server?.connection.state === 'ready' ? server.connection.connectionId : null,
  );
  const completion = useCompletion(
    connectionId,
    isFocused && canComplete && draft.kind === 'text'
      ? {
          serverId,
          reference: { type: 'resource', uri: uriTemplate },
          argument: { name, value: draft.text },
          context: Object.entries(drafts).flatMap(([other, { kind, text }]) =>
            other === name || kind !== 'text' || text === '' ? [] : [{ name: other, value: text }],
          ),
        }
      : null,
  );
  return (
    <div className={classes.variable}>
      <div className={classes.head}>
        <label className={classes.name} htmlFor={id}>
          {name}
        </label>
        <span className="pb-grow" />
        <Segments
          label={`Value type of ${name}`}
          value={draft.kind}
          onChange={(kind) => onChange({ ...draft, kind })}
          segments={[
            { value: 'text', label: 'Text' },
            { value: 'list', label: 'List' },
            { value: 'pairs', label: 'Pairs' },
          ]}
        />
      </div>
      {draft.kind === 'text' ? (
        <CompletedText
          id={id}
          value={draft.text}
          completion={completion}
          placeholder="Undefined"
          onFocus={() => setIsFocused(true)}
          onBlur={() => setIsFocused(false)}
          onChange={(text) => onChange({ kind: 'text', text })}
        />
      ) : (
        <Textarea
          id={id}
          value={draft.text}
          placeholder={PLACEHOLDERS[draft.kind]}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
