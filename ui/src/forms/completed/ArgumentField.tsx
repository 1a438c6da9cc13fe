import { IconAlertCircle } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { PromptArgumentItem, ServerId } from '../../contract/generated';
import { CompletedText } from './CompletedText';
import form from '../form.module.css';
import { useCompletion } from '../../model/form/useCompletion';
import { contextFor } from '../../model/lists/prompts/promptArguments';
import type { PromptValues } from '../../model/lists/prompts/promptViews';
import { useServerPart } from '../../model/workspace/context';
import { useDescribedBy } from '../../widgets/layout/useDescribedBy';

interface ArgumentFieldProps {
  serverId: ServerId;
  prompt: string;
  argument: PromptArgumentItem;
  values: PromptValues;
  /** Whether the server declares completions. */
  canComplete: boolean;
  /** Why the value cannot be right; null if nothing is wrong with it. */
  problem: string | null;
  /** Undefined omits the argument. */
  onChange: (value: string | undefined) => void;
}

/** One argument of a prompt. While it has the focus, the server proposes values, given those of the others. */
export function ArgumentField(props: ArgumentFieldProps) {
  const { serverId, prompt, argument, values, canComplete, problem, onChange } = props;
  const { name, title, description, required } = argument;
  const id = useId();
  useDescribedBy(id, problem !== null && `${id}__error`);
  const value = values.get(name);
  const [isFocused, setIsFocused] = useState(false);
  const connectionId = useServerPart(serverId, (server) =>
    server?.connection.state === 'ready' ? server.connection.connectionId : null,
  );
  const completion = useCompletion(
    connectionId,
    isFocused && canComplete && value?.includes('\n') !== true
      ? {
          serverId,
          reference: { type: 'prompt', name: prompt },
          argument: { name, value: value ?? '' },
          context: contextFor(name, values),
        }
      : null,
  );
  return (
    <div className={form.field} data-invalid={problem !== null || undefined}>
      <div className={form.head}>
        <label className={form.name} htmlFor={id}>
          {name}
          {required && (
            <span className={form.required} data-tip="Required">
              *
            </span>
          )}
        </label>
        {title !== null && title !== name && <span className={form.title}>{title}</span>}
      </div>
      {description !== null && description !== '' && <p className={form.description}>{description}</p>}
      <CompletedText
        id={id}
        value={value ?? ''}
        completion={completion}
        placeholder={value === '' ? 'Empty string' : 'Not set'}
        required={required}
        error={problem !== null}
        rightSection={
          value === undefined && (
            <button
              type="button"
              className={form.empty}
              tabIndex={-1}
              aria-label={`Set ${name} to empty string`}
              data-tip="Set to empty string"
              onClick={() => {
                onChange('');
                // The button is about to disappear.
                document.getElementById(id)?.focus();
              }}
            >
              ""
            </button>
          )
        }
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
        onChange={(text) => onChange(text === '' ? undefined : text)}
      />
      {problem !== null && (
        <p className={form.error} id={`${id}__error`}>
          <IconAlertCircle size={14} aria-hidden />
          {problem}
        </p>
      )}
    </div>
  );
}
