import { isLosslessNumber } from 'lossless-json';
import type { InputItem, InputKind } from '../../contract/generated';
import { type Json, type JsonObject, isObject, writeJsonCompact } from '../text/json';
import { shortened } from '../text/format';

const TITLES: Record<InputKind, string> = {
  sampling: 'Sampling',
  elicitation: 'Elicitation',
  roots: 'Roots',
};

/** The kind as the specification calls it. */
export function kindWord(kind: InputKind): string {
  return TITLES[kind];
}

/** The request in a sentence with the server's name. */
export function requestInWords({ kind, serverName }: Pick<InputItem, 'kind' | 'serverName'>): string {
  switch (kind) {
    case 'sampling':
      return `${serverName} requests a completion (sampling)`;
    case 'elicitation':
      return `${serverName} requests your input`;
    case 'roots':
      return `${serverName} requests your roots`;
  }
}

/** What a sampling request asks of the model, besides its messages. */
export function samplingFacts(params: JsonObject): { name: string; value: string }[] {
  const facts: { name: string; value: string }[] = [];
  const add = (name: string, value: Json | undefined): void => {
    if (value !== undefined)
      facts.push({
        name,
        value: typeof value === 'string' ? shortened(value, 300) : writeJsonCompact(value),
      });
  };
  const { modelPreferences: preferences, stopSequences: stops, metadata } = params;
  add('Model hints', hintsInWords(preferences));
  add('Priorities', prioritiesInWords(preferences));
  add('Stop at', Array.isArray(stops) ? shortened(stops.map(writeJsonCompact).join(', '), 200) : undefined);
  add('Context', params['includeContext']);
  add('Tool choice', isObject(params['toolChoice']) ? params['toolChoice']['mode'] : undefined);
  add('Metadata', metadata === undefined ? undefined : shortened(writeJsonCompact(metadata), 300));
  return facts;
}

function hintsInWords(preferences: Json | undefined): string | undefined {
  const hints: unknown = isObject(preferences) ? preferences['hints'] : undefined;
  if (!Array.isArray(hints)) return undefined;
  const names = hints.flatMap((hint: unknown) =>
    isObject(hint) && typeof hint['name'] === 'string' ? [hint['name']] : [],
  );
  return names.length === 0 ? undefined : names.join(', else ');
}

function prioritiesInWords(preferences: Json | undefined): string | undefined {
  if (!isObject(preferences)) return undefined;
  const words = ['costPriority', 'speedPriority', 'intelligencePriority'].flatMap((key) => {
    const value = preferences[key];
    return isLosslessNumber(value) ? [`${key.replace('Priority', '')} ${value.value}`] : [];
  });
  return words.length === 0 ? undefined : `${words.join(', ')} (0 to 1)`;
}
