import {
  Alert,
  Button,
  DEFAULT_THEME,
  MantineProvider,
  Menu,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Contrast, channels, contrast, tokens } from '../../styles/colours.fixture';
import { cssVariables, theme } from './theme';

type Scheme = 'light' | 'dark';

/** The opaque colour a CSS value ends at, through Mantine's variables and our tokens. */
function resolve(value: string, scheme: Scheme, level: Contrast): number[] {
  const whole = mergeMantineTheme(DEFAULT_THEME, theme);
  const [mantine, ours] = [defaultCssVariablesResolver(whole), cssVariables(whole)];
  const variables: Record<string, string> = {
    ...mantine.variables,
    ...mantine[scheme],
    ...ours.variables,
    ...ours[scheme],
  };
  variables['--mantine-color-white'] = '#ffffff';
  let now = value;
  for (let depth = 0; depth < 10; depth++) {
    const name = /^var\((--[\w-]+)\)$/.exec(now)?.[1];
    if (name === undefined && /^#\w{6}$/.test(now)) return channels(now).slice(0, 3);
    if (name === undefined) break;
    const token = /^--pb-(.*)$/.exec(name)?.[1];
    now = token === undefined ? (variables[name] ?? '') : tokens(scheme, level)(token);
  }
  throw new Error(`${value} does not end at a colour`);
}

const THEMES = [
  ['light', 'standard', 4.5],
  ['light', 'high', 7],
  ['dark', 'standard', 4.5],
  ['dark', 'high', 7],
] as const;

describe.each(THEMES)('buttons in the %s theme, %s contrast', (scheme, level, least) => {
  it.each([undefined, 'red'])('can be read as Mantine paints them, at rest and hovered (%s)', (color) => {
    render(
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={scheme}>
        <Button color={color}>Call tool</Button>
      </MantineProvider>,
    );
    const { style } = screen.getByRole('button');
    // The fallback of Mantine's style sheet for a button without its own colour.
    const painted = (name: string, otherwise: string): number[] =>
      resolve(style.getPropertyValue(name) || `var(${otherwise})`, scheme, level);
    const text = painted('--button-color', '--mantine-color-white');
    const rest = painted('--button-bg', '--mantine-primary-color-filled');
    const hovered = painted('--button-hover', '--mantine-primary-color-filled-hover');
    expect(contrast(text, rest)).toBeGreaterThan(least);
    expect(contrast(text, hovered)).toBeGreaterThan(least);
  });
});

it.each([
  ['gray', '--pb-sunken', '--pb-text-dim'],
  ['yellow', '--pb-warn-soft', '--pb-warn'],
  ['red', '--pb-error-soft', '--pb-error'],
])('a %s notice has the colours of what it says', (color, ground, text) => {
  render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables}>
      <Alert color={color}>A notice</Alert>
    </MantineProvider>,
  );
  const { style } = screen.getByRole('alert');
  expect(style.getPropertyValue('--alert-bg')).toBe(`var(${ground})`);
  expect(style.getPropertyValue('--alert-color')).toBe(`var(${text})`);
});

afterEach(() => void vi.restoreAllMocks());

it('a menu ends at the edge of the window, and its items are scrolled', async () => {
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(200);
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(300);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 10, 80, 30));
  render(
    <MantineProvider env="test" theme={theme} cssVariablesResolver={cssVariables}>
      <Menu opened position="bottom-start">
        <Menu.Target>
          <Button>Switch server</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item>one</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </MantineProvider>,
  );
  const { style } = screen.getByRole('menu');
  expect(style.overflowY).toBe('auto');
  // 200 px without the button, the gap below it and the margin.
  await waitFor(() => expect(style.maxHeight).toBe('144px'));
});
