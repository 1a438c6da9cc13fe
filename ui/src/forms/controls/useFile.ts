import { useRef, useState } from 'react';
import { aidOf } from '../../model/form/fields/aid';
import { formatSize } from '../../model/text/format';
import type { JsonObject } from '../../model/text/json';

/** The largest file that is put into a form, in bytes: its text is parsed and checked again with every edit. */
const LARGEST = 16 * 1024 * 1024;

/** Asks for a file and hands out its bytes as the text that a field wants. `problem`: why the last one was not taken. */
export function useFile(
  keywords: JsonObject,
  onText: (text: string) => void,
): { choose: () => void; problem: string | null } {
  const [problem, setProblem] = useState<string | null>(null);
  // Kept while the dialog of the system is open: nothing else refers to it.
  const input = useRef<HTMLInputElement | null>(null);

  const take = (file: File): void => {
    if (file.size > LARGEST) {
      setProblem(`${file.name} is ${formatSize(file.size)}; a form accepts at most ${formatSize(LARGEST)}`);
      return;
    }
    const reader = new FileReader();
    reader.addEventListener('error', () => setProblem(`${file.name} cannot be read`));
    reader.addEventListener('load', () => {
      setProblem(null);
      const url = typeof reader.result === 'string' ? reader.result : '';
      onText(aidOf(keywords) === 'dataUrl' ? url : url.slice(url.indexOf(',') + 1));
    });
    reader.readAsDataURL(file);
  };
  const choose = (): void => {
    const chooser = document.createElement('input');
    chooser.type = 'file';
    const type = keywords['contentMediaType'];
    if (typeof type === 'string' && /^[\w.+-]+\/[\w.+*-]+$/.test(type)) chooser.accept = type;
    chooser.addEventListener('change', () => {
      const [file] = chooser.files ?? [];
      if (file !== undefined) take(file);
    });
    input.current = chooser;
    chooser.click();
  };
  return { choose, problem };
}
