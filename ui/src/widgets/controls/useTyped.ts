import { useEffect, useEffectEvent, useRef, useState } from 'react';

/**
 * A field that shows what is typed, else what is saved, also from elsewhere. It is saved when the field is left, also by a key
 * that shows something else. `onSave` returns whether it was: what was refused stays in the field.
 */
export function useTyped(
  saved: string,
  onSave: (text: string) => Promise<boolean> | boolean,
): { value: string; change: (text: string) => void; save: () => Promise<void> } {
  const [typed, setTyped] = useState<string | null>(null);
  /** What is being saved: Enter and then leaving the field save it once. */
  const sent = useRef<string | null>(null);

  async function save(): Promise<void> {
    if (typed === null || typed === sent.current) return;
    const answer = typed === saved || onSave(typed);
    if (answer === true) setTyped(null);
    if (typeof answer === 'boolean') return;
    sent.current = typed;
    const isSaved = await answer;
    if (sent.current === typed) sent.current = null;
    if (isSaved) setTyped((now) => (now === typed ? null : now));
  }

  const onGone = useEffectEvent(() => void save());
  useEffect(() => () => onGone(), []);

  return {
    value: typed ?? saved,
    change: (text) => setTyped(text === saved ? null : text),
    save,
  };
}
