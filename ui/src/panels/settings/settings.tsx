import type { ComponentType } from 'react';
import { type UiState, initialUiState } from '../../model/workspace/uiState';
import { CodeFont, Contrast, Density, Motion, Theme, UiFont } from './appearance';
import {
  AutomaticServers,
  EnvironmentSettings,
  Files,
  KeepsAnswers,
  LogLimitSettings,
  Notifications,
  OpenProviders,
  OpenRootSets,
  OpenShortcuts,
  Terminal,
  Timeouts,
  ToolContext,
  TrustedAnnotations,
  TrustedDefinitions,
  UnconfirmedTools,
  Vault,
  WatchesHosts,
} from './controls';
import { Proxy } from './Proxy';
import { Environment } from './environment/Environment';

/** A setting of Patchbay, or the way to where it is set. */
export interface Setting {
  id: string;
  section:
    | 'Appearance'
    | 'Recording'
    | 'Server requests'
    | 'Safety'
    | 'Servers'
    | 'Environment'
    | 'Network'
    | 'Secrets'
    | 'Other';
  title: string;
  /** What it does, and what holds until it is changed. */
  text: string;
  /** Further words it is found by. */
  keywords: string;
  Control: ComponentType;
  /** The part of the window's state that it is, if it has a default to go back to. */
  keys?: readonly (keyof UiState)[];
  /** Whether the control takes the whole width. */
  wide?: boolean;
}

/** Everything that can be set, in the order of the dialog. */
export const SETTINGS: readonly Setting[] = [
  {
    id: 'theme',
    section: 'Appearance',
    title: 'Theme',
    text: 'Default: System.',
    keywords: 'colours light dark system',
    Control: Theme,
    keys: ['theme'],
  },
  {
    id: 'contrast',
    section: 'Appearance',
    title: 'Contrast',
    text: 'High contrast has darker text, visible lines and a wider focus ring, in the light and the dark theme. Default: System.',
    keywords: 'theme high accessibility colours',
    Control: Contrast,
    keys: ['contrast'],
  },
  {
    id: 'density',
    section: 'Appearance',
    title: 'Density',
    text: 'The height of rows, bars, buttons and fields. Default: Normal.',
    keywords: 'compact comfortable row height spacing size',
    Control: Density,
    keys: ['density'],
  },
  {
    id: 'font-size',
    section: 'Appearance',
    title: 'Font size',
    text: 'For all text except code, 11 to 18 px. Ctrl/Cmd with + and − zooms the whole window instead. Default: 13 px.',
    keywords: 'text larger smaller zoom typography',
    Control: UiFont,
    keys: ['uiFontPx'],
  },
  {
    id: 'code-font-size',
    section: 'Appearance',
    title: 'Code font size',
    text: 'For JSON, bytes, identifiers and other code, 11 to 18 px. Default: 12 px.',
    keywords: 'monospace editor text larger smaller typography',
    Control: CodeFont,
    keys: ['codeFontPx'],
  },
  {
    id: 'motion',
    section: 'Appearance',
    title: 'Motion',
    text: 'Reduced turns off fades, slides and rotations. Default: System.',
    keywords: 'animation reduce accessibility transitions',
    Control: Motion,
    keys: ['motion'],
  },
  {
    id: 'tool-context',
    section: 'Appearance',
    title: 'Tool definition column',
    text: 'Shows the description and schemas of the selected tool in a separate column, in a window of at least 1400 px. Default: On.',
    keywords: 'schema column layout',
    Control: ToolContext,
    keys: ['toolContextOpen'],
  },
  {
    id: 'log-limits',
    section: 'Recording',
    title: 'Size and age of the traffic log',
    text: 'All traffic is recorded; the oldest records are removed at these limits. Default: 4096 MiB, any age.',
    keywords: 'quota disk store retention',
    Control: LogLimitSettings,
    wide: true,
  },
  {
    id: 'notifications',
    section: 'Server requests',
    title: 'Desktop notifications',
    text: 'For requests that arrive while the window is in the background. They never contain text from a server. Default: On.',
    keywords: 'sampling elicitation roots inbox',
    Control: Notifications,
    keys: ['notifies'],
  },
  {
    id: 'earlier-answers',
    section: 'Server requests',
    title: 'Offer earlier answers',
    text: 'Suggests your earlier elicitation answers for the same server, but never for secret fields. Default: On.',
    keywords: 'elicitation history forms',
    Control: KeepsAnswers,
    keys: ['keepsAnswers'],
  },
  {
    id: 'confirmations',
    section: 'Safety',
    title: 'Tools that are called without asking',
    text: 'Patchbay asks before it calls a tool that is not marked as read-only or non-destructive. Default: None.',
    keywords: 'confirm destructive consent approve rules',
    Control: UnconfirmedTools,
    keys: ['unconfirmedServers', 'unconfirmedTools'],
    wide: true,
  },
  {
    id: 'definition-trust',
    section: 'Safety',
    title: 'Changed tool definitions',
    text: 'A changed definition must be accepted before the tool is called. Servers whose changes are trusted:',
    keywords: 'rug pull trust accept',
    Control: TrustedDefinitions,
    wide: true,
  },
  {
    id: 'annotation-trust',
    section: 'Safety',
    title: 'Tool annotations',
    text: 'Chat rules for read-only tools apply only to servers whose annotations you trust:',
    keywords: 'trust read-only hints rules chat approve',
    Control: TrustedAnnotations,
    wide: true,
  },
  {
    id: 'environment',
    section: 'Safety',
    title: 'Program environment',
    text: 'Programs inherit a short list of variables without secrets. Servers that inherit all of Patchbay’s environment:',
    keywords: 'variables inherit path secrets',
    Control: EnvironmentSettings,
    wide: true,
  },
  {
    id: 'timeouts',
    section: 'Servers',
    title: 'Timeouts',
    text: 'Default: 60 s for a request and for connecting, 10 min in total with progress. Servers with other timeouts:',
    keywords: 'request connect limit seconds',
    Control: Timeouts,
    wide: true,
  },
  {
    id: 'automatic',
    section: 'Servers',
    title: 'Automatic connection',
    text: 'Default: you connect each server. Servers that connect when Patchbay starts, or reconnect when the connection is lost:',
    keywords: 'start reconnect automatic back-off lost',
    Control: AutomaticServers,
    wide: true,
  },
  {
    id: 'watch-hosts',
    section: 'Servers',
    title: 'Watch imported configurations',
    text: 'Shows a notice when the configuration of another host changes from which you imported servers. It is only read. Default: Off.',
    keywords: 'import host file change claude cursor vs code',
    Control: WatchesHosts,
    keys: ['watchesHosts'],
  },
  {
    id: 'terminal',
    section: 'Servers',
    title: 'Terminal',
    text: 'The command that opens a terminal for “Open in terminal”. {} is replaced by the command to run; without it, the command is appended. Default: system terminal.',
    keywords: 'shell console emulator gnome-terminal konsole kitty xterm',
    Control: Terminal,
    keys: ['terminal'],
  },
  {
    id: 'root-sets',
    section: 'Servers',
    title: 'Shared root sets',
    text: 'Folders that several servers receive when they request roots.',
    keywords: 'folders',
    Control: OpenRootSets,
  },
  {
    id: 'shell-and-path',
    section: 'Environment',
    title: 'Shell and PATH',
    text: 'The environment that stdio servers, build commands, bundles and terminals are started with. Variables of a server override it. Running servers keep theirs until they are restarted. Default: Automatic, no added folders.',
    keywords:
      'variables login shell zsh bash fish command not found folders directories program resolve env nvm homebrew',
    Control: Environment,
    wide: true,
  },
  {
    id: 'proxy',
    section: 'Network',
    title: 'Proxy',
    text: 'For servers over HTTP, authorization and model providers. This machine itself is never reached through it. A server can have a proxy of its own. Default: System.',
    keywords: 'http https socks socks5 network corporate firewall bypass no_proxy authentication 407',
    Control: Proxy,
    wide: true,
  },
  {
    id: 'vault',
    section: 'Secrets',
    title: 'Vault',
    text: 'Where tokens, keys and passwords are stored.',
    keywords: 'keychain passphrase unlock plaintext secrets',
    Control: Vault,
    wide: true,
  },
  {
    id: 'providers',
    section: 'Secrets',
    title: 'Model providers',
    text: 'The models that answer sampling requests and conversations, and their keys.',
    keywords: 'llm anthropic openai ollama api key chat',
    Control: OpenProviders,
  },
  {
    id: 'shortcuts',
    section: 'Other',
    title: 'Keyboard shortcuts',
    text: 'Search every command by name or by keys, and change, remove or reset its keys.',
    keywords: 'keys bindings keymap hotkeys',
    Control: OpenShortcuts,
  },
  {
    id: 'files',
    section: 'Other',
    title: 'Files',
    text: 'Where Patchbay stores its settings, the traffic log and its own diagnostics.',
    keywords: 'folder path servers.json store sqlite log diagnostics',
    Control: Files,
    wide: true,
  },
];

/** The settings that contain every word of a query, in their title, text, section or keywords. */
export function found(query: string): readonly Setting[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  return SETTINGS.filter(({ title, text, section, keywords }) => {
    const all = `${title} ${text} ${section} ${keywords}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Whether a setting has another value than its default. */
export function isChanged({ keys }: Setting, state: UiState): boolean {
  return keys?.some((key) => !sameValue(state[key], initialUiState[key])) ?? false;
}

/** The defaults of a setting. */
export function defaultsOf({ keys }: Setting): Partial<UiState> {
  return Object.fromEntries((keys ?? []).map((key) => [key, initialUiState[key]]));
}

function sameValue(one: unknown, two: unknown): boolean {
  return JSON.stringify(withoutEmpty(one)) === JSON.stringify(withoutEmpty(two));
}

/** A server whose list is empty again has no exceptions. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, list]) => !Array.isArray(list) || list.length > 0),
  );
}
