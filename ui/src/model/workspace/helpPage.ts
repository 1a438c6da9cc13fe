import type { InputItem } from '../../contract/generated';
import type { Model } from './context';
import type { Dialog } from './workspace';

/** The page about each dialog. */
const OF_DIALOG: Record<Dialog['type'], string> = {
  addServer: 'tasks/add-a-server.md',
  addBundle: 'tasks/add-a-server.md',
  addRegistry: 'tasks/add-a-server.md',
  importServers: 'tasks/add-a-server.md',
  dropped: 'tasks/add-a-server.md',
  editServer: 'reference/settings.md',
  removeServer: 'tasks/add-a-server.md',
  exportServer: 'tasks/add-a-server.md',
  group: 'tasks/group-servers.md',
  removeGroup: 'tasks/group-servers.md',
  serverGroups: 'tasks/group-servers.md',
  switchServers: 'tasks/group-servers.md',
  doctor: 'tasks/server-does-not-connect.md',
  samplingRules: 'tasks/approve-sampling.md',
  simulator: 'tasks/approve-sampling.md',
  serverChanges: 'tasks/work-on-a-server.md',
  terminalFailed: 'tasks/work-on-a-server.md',
  failed: 'tour.md',
  plainSecrets: 'tasks/keep-secrets.md',
  shortcuts: 'reference/app-settings.md',
  keys: 'reference/app-settings.md',
  settings: 'reference/app-settings.md',
};

const OF_INPUT: Record<InputItem['kind'], string> = {
  sampling: 'tasks/approve-sampling.md',
  elicitation: 'tasks/answer-a-form.md',
  roots: 'tasks/share-folders.md',
};

/** The page about each tab of Explore that has one. */
const OF_TAB: Readonly<Record<string, string>> = {
  tools: 'tasks/which-host-breaks.md',
  logs: 'tasks/find-a-message.md',
  roots: 'tasks/share-folders.md',
};

const OF_MODE: Readonly<Record<string, string>> = {
  chat: 'tasks/chat.md',
  authorization: 'tasks/authorize.md',
};

/** Every page that `helpPageFor` can answer with. */
export const HELP_PAGES: readonly string[] = [
  ...new Set(
    ['tour.md', 'index.md', 'tasks/server-does-not-connect.md', 'tasks/changed-tool.md'].concat(
      ...[OF_DIALOG, OF_INPUT, OF_TAB, OF_MODE].map((pages: Readonly<Record<string, string>>) =>
        Object.values(pages),
      ),
    ),
  ),
];

/** The page about what is on screen, the topmost first. */
export function helpPageFor({ workspace, inputs, servers, ui }: Model): string {
  const { dialog, openInput, vaultOpen, providersOpen, rootSetsOpen } = workspace.getState();
  if (vaultOpen) return 'tasks/keep-secrets.md';
  if (providersOpen) return 'tasks/approve-sampling.md';
  if (rootSetsOpen) return 'tasks/share-folders.md';
  if (dialog !== null) return OF_DIALOG[dialog.type];
  const input = inputs.getState().items.find(({ id }) => id === openInput);
  if (input !== undefined) return OF_INPUT[input.kind];

  const { selectedServer, modes, exploreTab } = ui.getState();
  const server = servers.getState().items?.find(({ id }) => id === selectedServer);
  if (server === undefined) return 'tour.md';
  const { state } = server.connection;
  if (state === 'authorizing') return OF_MODE['authorization'] ?? 'index.md';
  if (state === 'failed' || state === 'connecting' || state === 'negotiating') {
    return 'tasks/server-does-not-connect.md';
  }
  return OF_MODE[modes[server.id] ?? ''] ?? OF_TAB[exploreTab] ?? 'index.md';
}

/** A page of the contents. */
export interface HelpEntry {
  path: string;
  title: string;
  /** 0 for the outermost. */
  depth: number;
}

/** The entries of the contents, which are those of the site. */
export function parseContents(summary: string): HelpEntry[] {
  return [...summary.matchAll(/^( *)(?:- )?\[([^\]]+)\]\(([^)]+)\)/gm)].map(([, indent, title, path]) => ({
    path: path ?? '',
    title: title ?? '',
    depth: (indent ?? '').length / 2,
  }));
}

/** Pictures are of this very window; the site has them. */
export function withoutPictures(page: string): string {
  return page.replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, '');
}

/** The page that a link of `from` leads to; undefined for an address elsewhere. */
export function linkedPage(from: string, href: string): string | undefined {
  if (/^[a-z]+:/i.test(href)) return undefined;
  const { pathname } = new URL(href, `http://help/${from}`);
  return pathname.slice(1);
}

/** A page that was found, with the words around the first match. */
export interface HelpMatch extends HelpEntry {
  excerpt: string;
}

const EXCERPT = 90;
const MOST_MATCHES = 30;

/** The pages that have every word of `query`, those with it in the title first. */
export function searchPages(
  contents: readonly HelpEntry[],
  pages: Readonly<Record<string, string>>,
  query: string,
): HelpMatch[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const inTitle = ({ title }: HelpEntry): number =>
    words.every((word) => title.toLowerCase().includes(word)) ? 0 : 1;
  return contents
    .flatMap((entry): HelpMatch[] => {
      const text = `${entry.title}\n${pages[entry.path] ?? ''}`;
      const lower = text.toLowerCase();
      if (!words.every((word) => lower.includes(word))) return [];
      const body = pages[entry.path] ?? '';
      const at = Math.max(0, body.toLowerCase().indexOf(words[0] ?? ''));
      const from = Math.max(0, at - EXCERPT / 3);
      const excerpt = body.slice(from, from + EXCERPT).replaceAll(/[\s#|`*]+/g, ' ');
      return [{ ...entry, depth: 0, excerpt: excerpt.trim() }];
    })
    .toSorted((a, b) => inTitle(a) - inTitle(b))
    .slice(0, MOST_MATCHES);
}
