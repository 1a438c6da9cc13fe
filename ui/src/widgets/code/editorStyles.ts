import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { editorExtensions, viewerExtensions } from './codeSetup';
import { jsonCompletion } from './jsonCompletion';
import { marksGutter } from './jsonMarks';

/**
 * Adds the style sheets of editors to the page. The first editor of each kind would do it: the browser then computes the
 * styles of the whole window again, which takes WebKit 40 ms, just when a result is to be shown.
 */
export function mountEditorStyles(): void {
  const kinds = [
    [viewerExtensions('json', 'text', true, 0), marksGutter],
    [editorExtensions('json', 'text'), marksGutter, jsonCompletion(() => undefined)],
  ];
  for (const extensions of kinds) {
    new EditorView({ state: EditorState.create({ extensions }) }).destroy();
  }
}
