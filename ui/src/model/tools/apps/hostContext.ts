import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';

/** The names of our colours by the names that MCP Apps defines (SEP-1865, “Theming”). */
const COLOURS: [string, string][] = [
  ['--color-background-primary', '--pb-pane'],
  ['--color-background-secondary', '--pb-ground'],
  ['--color-background-tertiary', '--pb-sunken'],
  ['--color-background-danger', '--pb-error-soft'],
  ['--color-background-warning', '--pb-warn-soft'],
  ['--color-text-primary', '--pb-text'],
  ['--color-text-secondary', '--pb-text-dim'],
  ['--color-text-tertiary', '--pb-text-faint'],
  ['--color-text-info', '--pb-out'],
  ['--color-text-danger', '--pb-error'],
  ['--color-text-success', '--pb-ok'],
  ['--color-text-warning', '--pb-warn'],
  ['--color-border-primary', '--pb-hairline-strong'],
  ['--color-border-secondary', '--pb-hairline'],
  ['--color-ring-primary', '--pb-focus'],
];

export interface HostLook {
  theme: 'light' | 'dark';
  displayMode: 'inline' | 'fullscreen';
  /** The size of the place of the frame, in px. */
  width: number;
  height: number;
  front: 'window' | 'browser';
  /** The definition of the tool whose call the app shows: JSON text. */
  toolJson: string | null;
}

/** What an app is told about where it is shown. */
export function hostContext(look: HostLook, style: CSSStyleDeclaration): McpUiHostContext {
  const { theme, displayMode, width, height, front, toolJson } = look;
  const colours = COLOURS.map(([name, ours]) => [name, style.getPropertyValue(ours).trim()]);
  return {
    theme,
    styles: {
      variables: {
        ...Object.fromEntries(colours.filter(([, value]) => value !== '')),
        // Our own fonts cannot be loaded from the frame.
        '--font-sans': 'system-ui, sans-serif',
        '--font-mono': 'ui-monospace, monospace',
        '--border-radius-sm': '4px',
        '--border-width-regular': '1px',
      } as NonNullable<NonNullable<McpUiHostContext['styles']>['variables']>,
    },
    displayMode,
    availableDisplayModes: ['inline', 'fullscreen'],
    containerDimensions: displayMode === 'fullscreen' ? { width, height } : { width },
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: 'patchbay',
    platform: front === 'window' ? 'desktop' : 'web',
    ...(toolJson === null
      ? {}
      : { toolInfo: { tool: JSON.parse(toolJson) as NonNullable<McpUiHostContext['toolInfo']>['tool'] } }),
  };
}
