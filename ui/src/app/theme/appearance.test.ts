// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { createUiState } from '../../model/workspace/uiState';
import { initialAppearance } from '../../model/workspace/uiState/appearance';
import { sizes, sizesOf } from '../../model/workspace/uiState/sizes';
import { keepAppearance } from './appearance';

const root = document.documentElement;

/** What the system prefers; `prefer` changes it. */
function system() {
  const queries = new Map<string, { matches: boolean; target: EventTarget }>();
  const of = (query: string) => {
    const known = queries.get(query) ?? { matches: false, target: new EventTarget() };
    queries.set(query, known);
    return known;
  };
  return {
    media: ((query: string) =>
      Object.defineProperty(of(query).target, 'matches', {
        get: () => of(query).matches,
        configurable: true,
      })) as unknown as typeof window.matchMedia,
    prefer(query: string, matches: boolean): void {
      of(query).matches = matches;
      of(query).target.dispatchEvent(new Event('change'));
    },
  };
}

async function open(saved: object) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: JSON.stringify(saved) }),
    ui_state_set: () => ({}),
  });
  const ui = createUiState(host);
  await ui.load();
  const preferences = system();
  keepAppearance(ui, document, preferences.media);
  return { ui, ...preferences };
}

beforeEach(() => root.removeAttribute('style'));

it('gives the document what was saved, and each later choice', async () => {
  const { ui } = await open({ density: 'compact', uiFontPx: 16, contrast: 'high', motion: 'reduced' });
  expect(root.dataset['contrast']).toBe('high');
  expect(root.dataset['motion']).toBe('reduced');
  const compact = sizesOf({ density: 'compact', uiFontPx: 16, codeFontPx: 12 });
  expect(root.style.getPropertyValue('--pb-size-m')).toBe('16px');
  expect(root.style.getPropertyValue('--pb-row')).toBe(`${compact.row}px`);
  expect(root.style.getPropertyValue('--pb-scale')).toBe('1.231');
  // What lists count with is what the style sheets have.
  expect(sizes.getState()).toEqual(compact);
  ui.setState({ density: 'normal', uiFontPx: 13, contrast: 'system', motion: 'system' });
  expect(root.style.getPropertyValue('--pb-row')).toBe('28px');
  expect(root.dataset['contrast']).toBe('standard');
  expect(root.dataset['motion']).toBe('full');
});

it('follows the system until the user chooses', async () => {
  const { ui, prefer } = await open({});
  prefer('(prefers-contrast: more)', true);
  prefer('(prefers-reduced-motion: reduce)', true);
  expect(root.dataset['contrast']).toBe('high');
  expect(root.dataset['motion']).toBe('reduced');
  ui.setState({ contrast: 'standard' });
  expect(root.dataset['contrast']).toBe('standard');
  prefer('(prefers-contrast: more)', false);
  ui.setState({ contrast: 'system' });
  expect(root.dataset['contrast']).toBe('standard');
});

it('takes the default for what a newer version, or a damaged file, has', async () => {
  const { ui } = await open({ density: 'huge', uiFontPx: 400, codeFontPx: '12', contrast: 7, motion: null });
  expect(ui.getState()).toMatchObject({ ...initialAppearance, uiFontPx: 18 });
});
