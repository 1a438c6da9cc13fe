import type { PromptArgumentItem, ServerId } from '../../contract/generated';
import type { Problem } from '../../model/form/check/validate';
import { fieldsOf } from '../../model/lists/prompts/promptArguments';
import type { PromptValues } from '../../model/lists/prompts/promptViews';
import { toPointer } from '../../model/text/json';
import { useCanComplete } from '../../model/connection/useCanComplete';
import { ArgumentField } from './ArgumentField';
import classes from '../form.module.css';

interface PromptArgumentsProps {
  serverId: ServerId;
  prompt: string;
  declared: readonly PromptArgumentItem[];
  values: PromptValues;
  /** The missing arguments to be marked. */
  missing: readonly Problem[];
  onChange: (argument: string, value: string | undefined) => void;
}

/** The form of a prompt's arguments. Values that no declared argument takes are shown too: they are sent. */
export function PromptArguments(props: PromptArgumentsProps) {
  const { serverId, prompt, declared, values, missing, onChange } = props;
  const canComplete = useCanComplete(serverId);
  const fields = fieldsOf(declared);
  const undeclared = [...values.keys()].filter((name) => fields.every((field) => field.name !== name));
  if (fields.length === 0 && undeclared.length === 0)
    return <p className={classes.promptNote}>This prompt takes no arguments.</p>;
  const extra = undeclared.map((name): PromptArgumentItem => ({
    name,
    title: null,
    description: 'Not declared by the prompt. Clear it to omit it.',
    required: false,
  }));
  return (
    <div className={classes.promptArguments}>
      {[...fields, ...extra].map((argument) => (
        <ArgumentField
          key={argument.name}
          serverId={serverId}
          prompt={prompt}
          argument={argument}
          values={values}
          canComplete={canComplete}
          problem={missing.find(({ pointer }) => pointer === toPointer([argument.name]))?.message ?? null}
          onChange={(value) => onChange(argument.name, value)}
        />
      ))}
    </div>
  );
}
