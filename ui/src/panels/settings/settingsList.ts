import type { UiState } from '../../model/workspace/uiState';

/** A setting of Patchbay, or the way to where it is set, as far as it is words. */
export interface SettingInfo {
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
  /** The part of the window's state that it is, if it has a default to go back to. */
  keys?: readonly (keyof UiState)[];
  /** Whether the palette has commands of their own for it. */
  hasCommand?: boolean;
  /** Whether the control takes the whole width. */
  wide?: boolean;
}

/** Everything that can be set, in the order of the dialog. Apart from the controls: the palette has it from the start. */
export const SETTINGS_LIST = [
  {
    id: 'theme',
    hasCommand: true,
    section: 'Appearance',
    title: 'Theme',
    text: 'Default: System.',
    keywords: 'colours light dark system',
    keys: ['theme'],
  },
  {
    id: 'contrast',
    hasCommand: true,
    section: 'Appearance',
    title: 'Contrast',
    text: 'High contrast has darker text, visible lines and a wider focus ring, in the light and the dark theme. Default: System.',
    keywords: 'theme high accessibility colours',
    keys: ['contrast'],
  },
  {
    id: 'density',
    hasCommand: true,
    section: 'Appearance',
    title: 'Density',
    text: 'The height of rows, bars, buttons and fields. Default: Normal.',
    keywords: 'compact comfortable row height spacing size',
    keys: ['density'],
  },
  {
    id: 'font-size',
    section: 'Appearance',
    title: 'Font size',
    text: 'For all text except code, 11 to 18 px. Ctrl/Cmd with + and − zooms the whole window instead. Default: 13 px.',
    keywords: 'text larger smaller zoom typography',
    keys: ['uiFontPx'],
  },
  {
    id: 'code-font-size',
    section: 'Appearance',
    title: 'Code font size',
    text: 'For JSON, bytes, identifiers and other code, 11 to 18 px. Default: 12 px.',
    keywords: 'monospace editor text larger smaller typography',
    keys: ['codeFontPx'],
  },
  {
    id: 'motion',
    section: 'Appearance',
    title: 'Motion',
    text: 'Reduced turns off fades, slides and rotations. Default: System.',
    keywords: 'animation reduce accessibility transitions',
    keys: ['motion'],
  },
  {
    id: 'tool-context',
    hasCommand: true,
    section: 'Appearance',
    title: 'Tool definition column',
    text: 'Shows the description and schemas of the selected tool in a separate column, in a window of at least 1400 px. Default: On.',
    keywords: 'schema column layout',
    keys: ['toolContextOpen'],
  },
  {
    id: 'log-limits',
    section: 'Recording',
    title: 'Size and age of the traffic log',
    text: 'All traffic is recorded; the oldest records are removed at these limits. Default: 4096 MiB, any age.',
    keywords: 'quota disk store retention',
    wide: true,
  },
  {
    id: 'notifications',
    section: 'Server requests',
    title: 'Desktop notifications',
    text: 'For requests that arrive while the window is in the background. They never contain text from a server. Default: On.',
    keywords: 'sampling elicitation roots inbox',
    keys: ['notifies'],
  },
  {
    id: 'earlier-answers',
    section: 'Server requests',
    title: 'Offer earlier answers',
    text: 'Suggests your earlier elicitation answers for the same server, but never for secret fields. Default: On.',
    keywords: 'elicitation history forms',
    keys: ['keepsAnswers'],
  },
  {
    id: 'confirmations',
    section: 'Safety',
    title: 'Tools that are called without asking',
    text: 'Patchbay asks before it calls a tool that is not marked as read-only or non-destructive. Default: None.',
    keywords: 'confirm destructive consent approve rules',
    keys: ['unconfirmedServers', 'unconfirmedTools'],
    wide: true,
  },
  {
    id: 'definition-trust',
    section: 'Safety',
    title: 'Changed tool definitions',
    text: 'A changed definition must be accepted before the tool is called. Servers whose changes are trusted:',
    keywords: 'rug pull trust accept',
    wide: true,
  },
  {
    id: 'annotation-trust',
    section: 'Safety',
    title: 'Tool annotations',
    text: 'Chat rules for read-only tools apply only to servers whose annotations you trust:',
    keywords: 'trust read-only hints rules chat approve',
    wide: true,
  },
  {
    id: 'environment',
    section: 'Safety',
    title: 'Program environment',
    text: 'Programs inherit a short list of variables without secrets. Servers that inherit all of Patchbay’s environment:',
    keywords: 'variables inherit path secrets',
    wide: true,
  },
  {
    id: 'timeouts',
    section: 'Servers',
    title: 'Timeouts',
    text: 'Default: 60 s for a request and for connecting, 10 min in total with progress. Servers with other timeouts:',
    keywords: 'request connect limit seconds',
    wide: true,
  },
  {
    id: 'automatic',
    section: 'Servers',
    title: 'Automatic connection',
    text: 'Default: you connect each server. Servers that connect when Patchbay starts, or reconnect when the connection is lost:',
    keywords: 'start reconnect automatic back-off lost',
    wide: true,
  },
  {
    id: 'watch-hosts',
    section: 'Servers',
    title: 'Watch imported configurations',
    text: 'Shows a notice when the configuration of another host changes from which you imported servers. It is only read. Default: Off.',
    keywords: 'import host file change claude cursor vs code',
    keys: ['watchesHosts'],
  },
  {
    id: 'terminal',
    section: 'Servers',
    title: 'Terminal',
    text: 'The command that opens a terminal for “Open in terminal”. {} is replaced by the command to run; without it, the command is appended. Default: system terminal.',
    keywords: 'shell console emulator gnome-terminal konsole kitty xterm',
    keys: ['terminal'],
  },
  {
    id: 'root-sets',
    hasCommand: true,
    section: 'Servers',
    title: 'Shared root sets',
    text: 'Folders that several servers receive when they request roots.',
    keywords: 'folders',
  },
  {
    id: 'shell-and-path',
    section: 'Environment',
    title: 'Shell and PATH',
    text: 'The environment that stdio servers, build commands, bundles and terminals are started with. Variables of a server override it. Running servers keep theirs until they are restarted. Default: Automatic, no added folders.',
    keywords:
      'variables login shell zsh bash fish command not found folders directories program resolve env nvm homebrew',
    wide: true,
  },
  {
    id: 'proxy',
    section: 'Network',
    title: 'Proxy',
    text: 'For servers over HTTP, authorization and model providers. This machine itself is never reached through it. A server can have a proxy of its own. Default: System.',
    keywords: 'http https socks socks5 network corporate firewall bypass no_proxy authentication 407',
    wide: true,
  },
  {
    id: 'vault',
    hasCommand: true,
    section: 'Secrets',
    title: 'Vault',
    text: 'Where tokens, keys and passwords are stored.',
    keywords: 'keychain passphrase unlock plaintext secrets',
    wide: true,
  },
  {
    id: 'providers',
    hasCommand: true,
    section: 'Secrets',
    title: 'Model providers',
    text: 'The models that answer sampling requests and conversations, and their keys.',
    keywords: 'llm anthropic openai ollama api key chat',
  },
  {
    id: 'shortcuts',
    hasCommand: true,
    section: 'Other',
    title: 'Keyboard shortcuts',
    text: 'Search every command by name or by keys, and change, remove or reset its keys.',
    keywords: 'keys bindings keymap hotkeys',
  },
  {
    id: 'files',
    section: 'Other',
    title: 'Files',
    text: 'Where Patchbay stores its settings, the traffic log and its own diagnostics.',
    keywords: 'folder path servers.json store sqlite log diagnostics',
    wide: true,
  },
] as const;
