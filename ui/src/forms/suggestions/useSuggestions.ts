import { useEffect, useMemo, useState } from 'react';
import type { ArgumentsState } from '../../model/form/arguments';
import type { FormSchema } from '../../model/form/schema';
import type { JsonObject } from '../../model/text/json';
import type { JsonSuggestions } from '../../widgets/code/jsonCompletion';
import { suggestionsOf } from './suggestions';

/** What the JSON editor of an object suggests; nothing without a schema that has a form. */
export function useSuggestions(form: FormSchema | null, state: ArgumentsState): JsonSuggestions | undefined {
  const [complete] = useState(() => new LastComplete());
  useEffect(() => {
    if (state.type === 'object') complete.put(state.value);
  }, [complete, state]);
  return useMemo(
    () => (form?.type === 'form' ? suggestionsOf(form.schema, () => complete.get()) : undefined),
    [form, complete],
  );
}

/** The object as it was when its text was complete last: while typing, it mostly is not. */
class LastComplete {
  #value: JsonObject | undefined;

  put(value: JsonObject): void {
    this.#value = value;
  }

  get(): JsonObject | undefined {
    return this.#value;
  }
}
