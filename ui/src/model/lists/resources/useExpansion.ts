import { useEffect, useEffectEvent, useState } from 'react';
import type {
  ResourceTemplateExpandResponse,
  TemplateValue,
  TemplateValueKind,
} from '../../../contract/generated';
import { commandError } from '../../store/errors';
import { useHost } from '../../workspace/context';
import type { VariableDraft } from './resourceViews';

interface Expansion {
  variables: readonly string[];
  /** The URI that the values make; null until known, and if the template is invalid. */
  uri: string | null;
  /** What is wrong with the template. */
  error: string | null;
  /** Calls `run` with the URI of these values: at once, or when it is known, unless the values change before that. */
  whenCurrent: (run: (uri: string | null) => void) => void;
}

/** The variables of a template and the URI it makes, by RFC 6570. The engine expands it; nothing is sent to a server. */
export function useExpansion(
  uriTemplate: string,
  drafts: Readonly<Record<string, VariableDraft>>,
): Expansion {
  const host = useHost();
  const [expansion, setExpansion] = useState<Omit<Expansion, 'whenCurrent'> & { of: object | null }>({
    variables: [],
    uri: null,
    error: null,
    of: null,
  });
  useEffect(() => {
    let wanted = true;
    const values = Object.entries(drafts).flatMap(([name, draft]) => templateValue(name, draft));
    host.call('resource_template_expand', { uriTemplate, values }).then(
      ({ variables, uri }: ResourceTemplateExpandResponse) =>
        wanted && setExpansion({ variables, uri, error: null, of: drafts }),
      (thrown: unknown) =>
        wanted && setExpansion({ variables: [], uri: null, error: commandError(thrown).message, of: drafts }),
    );
    return () => {
      wanted = false;
    };
  }, [host, uriTemplate, drafts]);
  /** What waits for the URI of some values; until then it is that of earlier ones. */
  const [awaited, setAwaited] = useState<{ of: object; run: (uri: string | null) => void } | null>(null);
  const isCurrent = expansion.of === drafts;
  const whenCurrent = (run: (uri: string | null) => void): void => {
    setAwaited(isCurrent ? null : { of: drafts, run });
    if (isCurrent) run(expansion.uri);
  };
  const onKnown = useEffectEvent((): void => {
    if (awaited?.of !== drafts) return;
    setAwaited(null);
    awaited.run(expansion.uri);
  });
  useEffect(() => {
    if (isCurrent) onKnown();
  }, [isCurrent]);
  return { ...expansion, whenCurrent };
}

/** A value as typed; an empty one is undefined. */
export function templateValue(name: string, { kind, text }: VariableDraft): TemplateValue[] {
  if (text === '') return [];
  const lines = text.split('\n').filter((line) => line !== '');
  const values: Record<VariableDraft['kind'], () => TemplateValueKind> = {
    text: () => ({ type: 'text', text }),
    list: () => ({ type: 'list', items: lines }),
    pairs: () => ({ type: 'pairs', pairs: lines.map(pairOf) }),
  };
  return [{ name, value: values[kind]() }];
}

function pairOf(line: string): { name: string; value: string } {
  const equals = line.indexOf('=');
  return equals < 0
    ? { name: line, value: '' }
    : { name: line.slice(0, equals), value: line.slice(equals + 1) };
}
