import type {
  InputKind,
  ScriptEnd,
  SimulatedAnswer,
  SimulatedInput,
  Simulation,
  SimulatorSettings,
} from '../../contract/generated';

/** A way to answer, as the dialog offers it; `off` does not simulate. */
export type Way = SimulatedAnswer['type'] | 'off';

/** How one kind of request is answered, as the dialog edits it: text as typed, and what other ways keep. */
export interface SimulationForm {
  way: Way;
  delaySeconds: string;
  code: string;
  message: string;
  source: 'text' | 'file';
  scriptText: string;
  scriptPath: string;
  atEnd: ScriptEnd;
}

/** The settings of a simulator, as the dialog edits them. */
export type SimulatorForm = Record<InputKind, SimulationForm>;

export const SIMULATED_KINDS: readonly InputKind[] = ['sampling', 'elicitation', 'roots'];

export const WAYS: readonly { value: Way; label: string }[] = [
  { value: 'off', label: 'Not simulated' },
  { value: 'defaults', label: 'Accept with defaults' },
  { value: 'decline', label: 'Decline' },
  { value: 'cancel', label: 'Cancel' },
  { value: 'noAnswer', label: 'Never answer (time out)' },
  { value: 'invalid', label: 'Invalid answer' },
  { value: 'error', label: 'Error code' },
  { value: 'script', label: 'Answer script' },
];

export const SCRIPT_ENDS: readonly { value: ScriptEnd; label: string }[] = [
  { value: 'stop', label: 'Reject further requests with an error' },
  { value: 'repeat', label: 'Repeat from the first answer' },
  { value: 'ask', label: 'Leave further requests to the inbox' },
];

const OFF = 'Answered by a rule, a model or you, as without the simulator.';
const NO_ANSWER = 'The request waits in the inbox until the server gives up. You can take it over there.';
const ERROR = 'In the modern era an error cannot be sent: the call that needs the answer ends instead.';

/** What each way sends, per kind. */
const EXPLANATIONS: Record<InputKind, Record<Exclude<Way, 'script'>, string>> = {
  sampling: {
    off: OFF,
    defaults: 'Sends a text answer, or a call to the first tool if toolChoice is “required”.',
    decline: `Sends the error -1, “User rejected sampling request”. ${ERROR}`,
    cancel: `Sampling has no cancel: sends the error -1, as when a dialog is closed without an answer. ${ERROR}`,
    noAnswer: NO_ANSWER,
    invalid: 'Sends a result whose role, content, model and stop reason do not match the schema.',
    error: ERROR,
  },
  elicitation: {
    off: OFF,
    defaults:
      'Accepts a form with its defaults and samples for the other required fields. A URL is accepted, but not opened.',
    decline: 'Sends the action “decline”.',
    cancel: 'Sends the action “cancel”.',
    noAnswer: NO_ANSWER,
    invalid:
      'Accepts a form with a value of the wrong type in every field. A URL request gets an unknown action.',
    error: ERROR,
  },
  roots: {
    off: 'Sends the roots in the server settings.',
    defaults: 'Sends the roots in the server settings.',
    decline: 'Sends an empty list.',
    cancel: `Roots have no cancel: sends the error -32603, as when the request is not answered. ${ERROR}`,
    noAnswer: NO_ANSWER,
    invalid: 'Sends a root whose URI is a number.',
    error: ERROR,
  },
};

/** What a way does, in a sentence. */
export function explanationOf(kind: InputKind, way: Way): string {
  return way === 'script'
    ? 'Sends a list of answers in order, from the start on each connection.'
    : EXPLANATIONS[kind][way];
}

/** A script to start from. */
export const SCRIPT_EXAMPLES: Record<InputKind, string> = {
  sampling: '[\n  {"text": "First answer"},\n  {"text": "A slow one", "delayMs": 2000},\n  "decline"\n]',
  elicitation:
    '[\n  {"content": {"name": "Ada"}},\n  "decline",\n  {"error": {"code": -32603, "message": "Out of order"}}\n]',
  roots: '[\n  {"result": {"roots": []}},\n  "invalid",\n  "noAnswer"\n]',
};

const LONGEST_SECONDS = 86_400;

export function simulatorFormOf(settings: SimulatorSettings): SimulatorForm {
  return {
    sampling: simulationFormOf('sampling', settings.sampling),
    elicitation: simulationFormOf('elicitation', settings.elicitation),
    roots: simulationFormOf('roots', settings.roots),
  };
}

function simulationFormOf(kind: InputKind, simulation: Simulation | null): SimulationForm {
  const form: SimulationForm = {
    way: 'off',
    delaySeconds: '0',
    code: '-32603',
    message: 'Simulated error',
    source: 'text',
    scriptText: SCRIPT_EXAMPLES[kind],
    scriptPath: '',
    atEnd: 'stop',
  };
  if (simulation === null) return form;
  const { answer, delayMs } = simulation;
  form.way = answer.type;
  form.delaySeconds = String(delayMs / 1000);
  if (answer.type === 'error') {
    form.code = String(answer.code);
    form.message = answer.message;
  }
  if (answer.type === 'script') {
    form.atEnd = answer.atEnd;
    form.source = answer.script.type;
    if (answer.script.type === 'text') form.scriptText = answer.script.json;
    else form.scriptPath = answer.script.path;
  }
  return form;
}

/** What is wrong with a form; by field. */
export interface SimulationProblems {
  delaySeconds?: string;
  code?: string;
  scriptPath?: string;
}

export function simulationProblemsOf(form: SimulationForm): SimulationProblems {
  const problems: SimulationProblems = {};
  const seconds = Number(form.delaySeconds);
  if (
    hasDelay(form.way) &&
    (form.delaySeconds.trim() === '' || !(seconds >= 0 && seconds <= LONGEST_SECONDS))
  )
    problems.delaySeconds = 'Enter 0 to 86,400 seconds.';
  const code = Number(form.code);
  if (
    form.way === 'error' &&
    (form.code.trim() === '' || !Number.isInteger(code) || Math.abs(code) >= 2 ** 31)
  )
    problems.code = 'Enter a whole number.';
  if (form.way === 'script' && form.source === 'file' && form.scriptPath.trim() === '')
    problems.scriptPath = 'Enter the path of a file.';
  return problems;
}

/** Whether an answer of this way can be held back. */
export function hasDelay(way: Way): boolean {
  return way !== 'off' && way !== 'noAnswer';
}

/** The settings of a form without problems. */
export function simulatorSettingsOf(form: SimulatorForm, isOn: boolean): SimulatorSettings {
  return {
    isOn,
    sampling: simulationOf(form.sampling),
    elicitation: simulationOf(form.elicitation),
    roots: simulationOf(form.roots),
  };
}

function simulationOf(form: SimulationForm): Simulation | null {
  const answer = answerOf(form);
  const delayMs = hasDelay(form.way) ? Math.round(Number(form.delaySeconds) * 1000) : 0;
  return answer && { answer, delayMs };
}

function answerOf(form: SimulationForm): SimulatedAnswer | null {
  switch (form.way) {
    case 'off':
      return null;
    case 'defaults':
    case 'decline':
    case 'cancel':
    case 'noAnswer':
    case 'invalid':
      return { type: form.way };
    case 'error':
      return { type: 'error', code: Number(form.code), message: form.message };
    case 'script':
      return {
        type: 'script',
        script:
          form.source === 'text'
            ? { type: 'text', json: form.scriptText }
            : { type: 'file', path: form.scriptPath.trim() },
        atEnd: form.atEnd,
      };
  }
}

/** The kinds that are simulated, in words: `sampling, roots`. */
export function simulatedWords(kinds: readonly InputKind[]): string {
  return kinds.join(', ');
}

/** What the simulator does with a pending request, for example `decline, after 5 s`. */
export function heldWords({ rule, answersAtMs }: SimulatedInput): string {
  return answersAtMs === null ? 'Simulator: never answers' : `Simulator: ${rule}`;
}

/** Who answered a request, from the rule that the engine names; null: the user. */
export function answeredBy(rule: string | null): string {
  if (rule === null) return 'by you';
  const simulated = /^simulator(?:, (.*))?$/.exec(rule);
  if (simulated === null) return `by rule: ${rule}`;
  return simulated[1] === undefined ? 'by the simulator' : `by the simulator (${simulated[1]})`;
}
