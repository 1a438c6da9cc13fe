import { Group, NativeSelect, TextInput } from '@mantine/core';
import { kindWord } from '../../model/inbox/inputRequest';
import { WAYS, type Way, explanationOf, hasDelay } from '../../model/servers/simulator';
import { type KindFieldsProps, ScriptFields } from './ScriptFields';
import classes from './simulator.module.css';

/** How one kind of request is answered. */
export function SimulationFields({ kind, form, problems, given, onEdit }: KindFieldsProps) {
  const { way } = form;
  return (
    <fieldset className={classes.kind}>
      <legend>{kindWord(kind)}</legend>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <NativeSelect
          className={classes.way}
          aria-label={`Answer to ${kind}`}
          value={way}
          data={[...WAYS]}
          onChange={(event) => onEdit({ way: event.currentTarget.value as Way })}
        />
        {hasDelay(way) && (
          <TextInput
            className={classes.delay}
            aria-label={`Seconds before the answer to ${kind}`}
            inputMode="decimal"
            leftSection="after"
            leftSectionWidth={42}
            rightSection="s"
            rightSectionWidth={24}
            value={form.delaySeconds}
            error={problems.delaySeconds}
            onChange={(event) => onEdit({ delaySeconds: event.currentTarget.value })}
          />
        )}
      </Group>
      <p className={classes.dim}>{explanationOf(kind, way)}</p>
      {way === 'error' && (
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            className={classes.code}
            aria-label={`Error code for ${kind}`}
            inputMode="numeric"
            value={form.code}
            error={problems.code}
            onChange={(event) => onEdit({ code: event.currentTarget.value })}
          />
          <TextInput
            className={classes.message}
            aria-label={`Error message for ${kind}`}
            value={form.message}
            onChange={(event) => onEdit({ message: event.currentTarget.value })}
          />
        </Group>
      )}
      {way === 'script' && (
        <ScriptFields kind={kind} form={form} problems={problems} given={given} onEdit={onEdit} />
      )}
    </fieldset>
  );
}
