import { NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { InputKind, ScriptEnd, ScriptSource, SimulatorCheckResponse } from '../../contract/generated';
import { SCRIPT_ENDS, type SimulationForm, type SimulationProblems } from '../../model/servers/simulator';
import { commandError } from '../../model/store/errors';
import { formatCount } from '../../model/text/format';
import { useHost } from '../../model/workspace/context';
import { JsonEditor } from '../../widgets/code/JsonEditor';
import { Segments } from '../../widgets/controls/Segments';
import classes from './simulator.module.css';

/** After so many ms without typing a script is checked. */
const CHECK_AFTER_MS = 250;

const SOURCES = [
  { value: 'text', label: 'Text' },
  { value: 'file', label: 'File' },
] as const;

export interface KindFieldsProps {
  kind: InputKind;
  form: SimulationForm;
  problems: SimulationProblems;
  /** How many answers of the script were given on this connection. */
  given: number;
  onEdit: (part: Partial<SimulationForm>) => void;
}

/** The answers of a script, and what comes after them. */
export function ScriptFields({ kind, form, problems, given, onEdit }: KindFieldsProps) {
  const { source, scriptText, scriptPath, atEnd } = form;
  const checked = useCheck(
    kind,
    source === 'text' ? { type: 'text', json: scriptText } : { type: 'file', path: scriptPath.trim() },
  );
  return (
    <div className={classes.script}>
      <Segments
        label={`Script for ${kind}`}
        value={source}
        segments={SOURCES}
        onChange={(next) => onEdit({ source: next })}
      />
      {source === 'text' ? (
        <div className={classes.editor}>
          <JsonEditor
            key={kind}
            value={scriptText}
            label={`Answer script for ${kind}`}
            onChange={(text) => onEdit({ scriptText: text })}
          />
        </div>
      ) : (
        <TextInput
          aria-label={`Answer script file for ${kind}`}
          placeholder="Absolute path of a JSON file; read for each request"
          value={scriptPath}
          error={problems.scriptPath}
          onChange={(event) => onEdit({ scriptPath: event.currentTarget.value })}
        />
      )}
      <p
        className={classes.check}
        data-tone={checked?.type === 'invalid' ? 'error' : undefined}
        role="status"
      >
        {checked?.type === 'invalid' && checked.problem}
        {checked?.type === 'valid' &&
          `${formatCount(checked.answers, 'answer')}${given > 0 ? `, ${Math.min(given, checked.answers)} sent on this connection` : ''}`}
      </p>
      <p className={classes.dim}>
        A JSON array of <code>&quot;defaults&quot;</code>, <code>&quot;decline&quot;</code>,{' '}
        <code>&quot;cancel&quot;</code>, <code>&quot;noAnswer&quot;</code>, <code>&quot;invalid&quot;</code>,{' '}
        <code>&quot;ask&quot;</code> and objects with <code>result</code>, <code>error</code>
        {kind === 'sampling' && (
          <>
            , <code>text</code>
          </>
        )}
        {kind === 'elicitation' && (
          <>
            , <code>content</code>
          </>
        )}{' '}
        or <code>answer</code>, each with an optional <code>delayMs</code>.
      </p>
      <NativeSelect
        label="After the last answer"
        value={atEnd}
        data={[...SCRIPT_ENDS]}
        onChange={(event) => onEdit({ atEnd: event.currentTarget.value as ScriptEnd })}
      />
    </div>
  );
}

/** What the engine says about a script, a moment after it was typed. */
function useCheck(kind: InputKind, script: ScriptSource): SimulatorCheckResponse | null {
  const host = useHost();
  const [checked, setChecked] = useState<{ asked: string; response: SimulatorCheckResponse } | null>(null);
  const asked = JSON.stringify(script);
  const isEmpty = script.type === 'file' && script.path === '';
  useEffect(() => {
    if (isEmpty) return undefined;
    let current = true;
    const timer = setTimeout(() => {
      host
        .call('simulator_check', { kind, script: JSON.parse(asked) as ScriptSource })
        .then((response) => current && setChecked({ asked, response }))
        .catch(
          (thrown: unknown) =>
            current &&
            setChecked({ asked, response: { type: 'invalid', problem: commandError(thrown).message } }),
        );
    }, CHECK_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [host, asked, kind, isEmpty]);
  return checked?.asked === asked && !isEmpty ? checked.response : null;
}
