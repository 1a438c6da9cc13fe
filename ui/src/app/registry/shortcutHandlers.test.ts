// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { SHORTCUTS, type ShortcutId } from '../../model/workspace/shortcuts';

const SOURCES = import.meta.glob<string>('../../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Which shortcuts each file that reacts to keys handles. A new handler is entered here and in the table that `?` shows. */
const HANDLERS: Record<string, ShortcutId[]> = {
  'app/keys/useShortcuts.ts': [
    'palette',
    'server',
    'mode',
    'dock',
    'inbox',
    'filter',
    'pane',
    'paneBack',
    'settings',
    'docs',
    'help',
  ],
  'app/keys/useSubmitKey.ts': ['run'],
  'app/Dock.tsx': ['sideways'],
  'app/offers/userActivity.ts': [],
  'content/media/PdfContent.tsx': ['jump'],
  'content/media/useImageZoom.ts': ['zoom'],
  'forms/FieldHead.tsx': ['rename'],
  'forms/ValueState.tsx': ['valueState'],
  // Takes all keys that are pressed, to give them to a command.
  'panels/settings/keys/KeyRecorder.tsx': ['close'],
  'panels/inbox/sampling/SamplingConversation.tsx': ['close'],
  'panels/palette/PaletteSearch.tsx': ['move', 'jump', 'open'],
  'panels/rail/Rail.tsx': ['move', 'sideways', 'jump', 'open', 'menu', 'reorder', 'remove'],
  'panels/rail/useRowDrag.ts': ['close'],
  'panels/inbox/request/useRequestKeys.ts': ['run', 'close'],
  'panels/chat/ChatList.tsx': ['close'],
  'panels/chat/compare/ComparePanel.tsx': ['run'],
  // The other keys of its prompts are the library's.
  'panels/chat/composer/Composer.tsx': ['run', 'editLast', 'close'],
  'panels/chat/composer/ManualAnswer.tsx': ['run'],
  'panels/chat/composer/ResourceMenu.tsx': ['close'],
  'panels/chat/composer/submitKey.ts': ['run'],
  'panels/chat/composer/TemplateForm.tsx': ['close'],
  'panels/chat/items/EditMessage.tsx': ['run', 'close'],
  'panels/chat/settings/AnswersChoice.tsx': [],
  // Its other keys are those of a tree: model/chat/tree.ts, tested there.
  'panels/chat/views/OperationsView.tsx': ['open'],
  'panels/authorization/run/Stepper.tsx': ['move', 'jump', 'open'],
  'panels/traffic/KindToggles.tsx': ['sideways'],
  // The keys that these compare are those of folders.
  'panels/explore/resources/ResourceList.tsx': [],
  'panels/explore/skills/SkillFiles.tsx': [],
  'panels/explore/tools/ToolList.tsx': [],
  'panels/explore/resources/treeKeys.ts': ['sideways'],
  'panels/explore/request/useRunKey.ts': ['run'],
  'panels/servers/fields/program/ArgumentRows.tsx': ['line', 'dropLine'],
  'panels/welcome/Welcome.tsx': ['open'],
  'panels/welcome/help/HelpContent.tsx': ['list'],
  'widgets/code/CodeSurface.tsx': ['all'],
  'widgets/code/codeSetup.ts': ['find', 'fold', 'indent', 'tabOut'],
  'widgets/code/jsonCompletion.ts': ['suggest'],
  'widgets/controls/FilterInput.tsx': ['close', 'list', 'term'],
  'widgets/layout/Tips.tsx': ['close'],
  'widgets/focus/listFocus.ts': ['move', 'jump'],
  'widgets/traffic/ColumnHandle.tsx': ['resize'],
  'widgets/traffic/TrafficHead.tsx': ['sideways'],
  'widgets/rows/VirtualRows.tsx': ['move', 'extend', 'jump', 'open', 'close'],
};

/** Handled by the window or the browser; dividers of panes by the library that draws them. */
const BY_OTHERS: ShortcutId[] = ['pageZoom'];

/** What reacts to a key: a handler's test of the key, or key bindings of an editor. */
const REACTS = /event\.key\b|\.key ===|nativeEvent\.code|keyTarget\(event|pressedCommand\(event|keymap\.of/;

const files = Object.entries(SOURCES)
  .map(([path, text]) => ({ path: path.replace('../../', '').replace(/^\.\.\//, 'app/'), text }))
  // What keys are, and may be, is there; nothing reacts to them.
  .filter(({ path }) => !/\.test\.|\/generated\/|^model\/workspace\/shortcuts\//.test(path));

it('every file that reacts to keys is known with its shortcuts', () => {
  const reacting = files.filter(({ text }) => REACTS.test(text)).map(({ path }) => path);
  expect(reacting.toSorted()).toEqual(Object.keys(HANDLERS).toSorted());
});

it('the table that ? shows names exactly the shortcuts that are handled', () => {
  const handled = new Set([...Object.values(HANDLERS).flat(), ...BY_OTHERS]);
  expect(SHORTCUTS.map(({ id }) => id).toSorted()).toEqual([...handled].toSorted());
  expect(new Set(SHORTCUTS.map(({ id }) => id)).size).toBe(SHORTCUTS.length);
});

/** The names of keys in handlers, by how the table writes them. */
const NAMES: Record<string, string> = {
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  Esc: 'Escape',
};

it('each handler tests the keys that the table shows', () => {
  // The texts of these files name no keys: they ask the table, or take the bindings of a library.
  const indirect = ['app/keys/useShortcuts.ts', 'widgets/code/codeSetup.ts', 'widgets/rows/VirtualRows.tsx'];
  for (const [path, ids] of Object.entries(HANDLERS)) {
    if (indirect.includes(path)) continue;
    const text = files.find((file) => file.path === path)?.text ?? '';
    for (const id of ids) {
      const keys = SHORTCUTS.find((shortcut) => shortcut.id === id)?.keys ?? [];
      const some = keys.some(
        (key) => text.includes(NAMES[key] ?? key.replace(' ', '')) || text.includes(`'${key.toLowerCase()}'`),
      );
      expect(some, `${path} handles ${id}`).toBe(true);
    }
  }
});
