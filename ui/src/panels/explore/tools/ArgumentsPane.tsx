import { Button } from '@mantine/core';
import { IconIndentIncrease, IconPlayerPlay, IconRestore } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { ServerId, Timeouts, ToolGetResponse, ToolItem } from '../../../contract/generated';
import { type ArgumentsState, readArguments } from '../../../model/form/arguments';
import { callParams } from '../../../model/text/copyAs';
import { indentJson } from '../../../model/text/json';
import { type FormSchema, takesNothing } from '../../../model/form/schema';
import { fixedText } from '../../../model/workspace/shortcuts';
import type { CallOptions, ExchangeKey, ToolRequest } from '../../../model/exchange/request';
import type { ToolDraft } from '../../../model/tools/toolDrafts';
import type { CheckState } from '../../../model/form/check/useCheck';
import type { Problem } from '../../../model/form/check/validate';
import { Failed, Waiting } from '../../../widgets/status/Waiting';
import { ErrorBoundary, type Failure } from '../../../widgets/failure/ErrorBoundary';
import { IconButton } from '../../../widgets/controls/IconButton';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import { Segments } from '../../../widgets/controls/Segments';
import type { Loaded } from '../../../widgets/code/useBodyText';
import { useSuggestions } from '../../../forms/suggestions/useSuggestions';
import { SchemaForm } from '../../../forms/SchemaForm';
import { ParamsPreview } from '../request/ParamsPreview';
import { ProblemStrip } from '../request/ProblemStrip';
import { ExchangeHistory } from '../result/ExchangeHistory';
import { CallOptionsButton } from './CallOptionsButton';
import type { Confirmation } from './call/useConfirmation';
import { Presets } from './call/Presets';
import classes from './tools.module.css';

interface ArgumentsPaneProps {
  serverId: ServerId;
  item: ToolItem;
  detail: Loaded<ToolGetResponse>;
  /** None while the definition is loading. */
  form: FormSchema | null;
  tool: ExchangeKey<ToolRequest>;
  draft: ToolDraft;
  text: string;
  /** The text before any edit: the defaults. */
  initial: string;
  state: ArgumentsState;
  /** The check of the arguments against the input schema. */
  check: CheckState;
  /** The call is sent as soon as the check is done. */
  isWaiting: boolean;
  /** How many calls were refused. */
  refusals: number;
  /** Why nothing can be sent. */
  disabledReason: string | null;
  /** The options of a call in addition to its arguments. */
  options: CallOptions;
  serverTimeouts: Timeouts | null;
  /** Whether calls can run as tasks: `optional`, `required`, or null. */
  taskSupport: string | null;
  /** Whether the user is asked before calls. */
  confirmation: Confirmation;
  onChange: (change: Partial<ToolDraft>) => void;
  onCall: (anyway: boolean) => void;
  onAgain: (request: ToolRequest) => void;
}

/** Checks the text of the JSON editor. */
function checkText(text: string): { reason: string; position: number } | null {
  const state = readArguments(text);
  if (state.type === 'object') return null;
  return { reason: state.reason, position: state.type === 'broken' ? state.position : 0 };
}

/** The arguments, as a form or as JSON, and the controls that send them. */
export function ArgumentsPane(props: ArgumentsPaneProps) {
  const { item, draft, text, initial, state, check, disabledReason, onChange, onCall } = props;
  const { form } = props;
  const { problems } = check;
  const noForm = whyNoForm(form, state);
  const mode = noForm === null ? draft.mode : 'json';
  // A wrong value is shown at once, a missing one only after the user has tried to call.
  const shown = useMemo(
    () => (draft.tried ? problems : problems.filter(({ missing }) => !missing)),
    [draft.tried, problems],
  );
  const setText = (next: string): void => onChange({ text: next });
  const params = callParams(item.name, text, props.options);
  return (
    <section className={classes.arguments} aria-label="Arguments">
      <div className={classes.bar}>
        <Segments
          label="Edit arguments as"
          value={mode}
          onChange={(value) => onChange({ mode: value })}
          segments={[
            { value: 'form', label: 'Form', disabled: noForm !== null },
            { value: 'json', label: 'JSON' },
          ]}
        />
        {mode === 'json' && state.type === 'object' && (
          <IconButton icon={IconIndentIncrease} label="Indent" onClick={() => setText(indentJson(text))} />
        )}
        {text !== initial && (
          <IconButton
            icon={IconRestore}
            label="Reset to defaults"
            onClick={() => onChange({ text: null, preset: null, tried: false })}
          />
        )}
        <span className="pb-grow" />
        {item.callable && (
          <Presets
            serverId={props.serverId}
            tool={item.name}
            text={text}
            applied={draft.preset}
            onApply={({ name, text: saved }) => onChange({ text: saved, preset: name, tried: true })}
            onApplied={(preset) => onChange({ preset })}
          />
        )}
        <ExchangeHistory
          of={props.tool}
          noun="call"
          onLoad={({ argumentsJson, options }) => onChange({ text: argumentsJson, options, preset: null })}
          onAgain={props.onAgain}
        />
        <CallOptionsButton
          // A task that was chosen stays chosen where there are none.
          options={props.taskSupport === null ? draft.options : props.options}
          taskSupport={props.taskSupport}
          serverTimeouts={props.serverTimeouts}
          hints={item.hints}
          confirmation={props.confirmation}
          onChange={(options) => onChange({ options })}
        />
        <Button
          leftSection={<IconPlayerPlay size={14} />}
          onClick={() => onCall(false)}
          data-call
          data-asks={props.confirmation.asks || undefined}
          data-tip={disabledReason ?? `Send tools/call (${fixedText('run')})`}
          data-disabled={disabledReason !== null || undefined}
          aria-disabled={disabledReason !== null}
        >
          Call tool
        </Button>
      </div>
      <div className={classes.argumentsBody} data-arguments data-mode={mode}>
        <Editor {...props} mode={mode} noForm={noForm} shown={shown} setText={setText} />
      </div>
      <ProblemStrip
        problems={shown}
        tried={draft.tried}
        refusals={props.refusals}
        disabledReason={draft.tried || state.type === 'broken' ? disabledReason : null}
        check={check}
        isWaiting={props.isWaiting}
        onAnyway={() => onCall(true)}
      />
      <ParamsPreview params={params} method="tools/call" valid={state.type !== 'broken'} />
    </section>
  );
}

type EditorProps = ArgumentsPaneProps & {
  mode: 'form' | 'json';
  noForm: string | null;
  shown: readonly Problem[];
  setText: (text: string) => void;
};

function Editor({ detail, form, state, text, mode, noForm, shown, setText, item }: EditorProps) {
  const suggestions = useSuggestions(form, state);
  if (detail.state === 'loading') return <Waiting text="Loading definition…" />;
  if (detail.state === 'failed') return <Failed error={detail.error} />;
  if (mode === 'form' && form?.type === 'form' && state.type === 'object') {
    if (takesNothing(form.schema) && Object.keys(state.value).length === 0) {
      return <p className={classes.note}>This tool takes no arguments.</p>;
    }
    return (
      <ErrorBoundary resetKey={detail.value.inputSchemaJson ?? ''} fallback={formFailed}>
        <div className={classes.form}>
          <SchemaForm
            key={item.index}
            schema={form.schema}
            value={state.value}
            problems={shown}
            onText={setText}
          />
        </div>
      </ErrorBoundary>
    );
  }
  return (
    <>
      {noForm !== null && <p className={classes.noForm}>{noForm}</p>}
      <div className={classes.json}>
        <JsonEditor
          value={text}
          onChange={setText}
          label="Arguments as JSON"
          check={checkText}
          marks={shown}
          suggestions={suggestions}
        />
      </div>
    </>
  );
}

function formFailed({ error }: Failure) {
  return (
    <p className={classes.noForm} role="alert">
      No form can be shown for this schema ({error.message}). Switch to JSON to edit the arguments.
    </p>
  );
}

/** Why no form is shown, in a sentence; null if one is. */
function whyNoForm(form: FormSchema | null, state: ArgumentsState): string | null {
  if (form?.type === 'jsonOnly') return `${form.reason} Edit the arguments as JSON.`;
  switch (state.type) {
    case 'object':
      return null;
    case 'textOnly':
      return `The form cannot show these arguments without loss (${state.reason}). They are sent as written.`;
    case 'broken':
      return 'The form is available when the text is a JSON object.';
  }
}
