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
import { SETTINGS_LIST, type SettingInfo } from './settingsList';

/** A setting with its control. */
export interface Setting extends SettingInfo {
  Control: ComponentType;
}

const CONTROLS: Record<(typeof SETTINGS_LIST)[number]['id'], ComponentType> = {
  theme: Theme,
  contrast: Contrast,
  density: Density,
  'font-size': UiFont,
  'code-font-size': CodeFont,
  motion: Motion,
  'tool-context': ToolContext,
  'log-limits': LogLimitSettings,
  notifications: Notifications,
  'earlier-answers': KeepsAnswers,
  confirmations: UnconfirmedTools,
  'definition-trust': TrustedDefinitions,
  'annotation-trust': TrustedAnnotations,
  environment: EnvironmentSettings,
  timeouts: Timeouts,
  automatic: AutomaticServers,
  'watch-hosts': WatchesHosts,
  terminal: Terminal,
  'root-sets': OpenRootSets,
  'shell-and-path': Environment,
  proxy: Proxy,
  vault: Vault,
  providers: OpenProviders,
  shortcuts: OpenShortcuts,
  files: Files,
};

/** Everything that can be set, in the order of the dialog. */
export const SETTINGS: readonly Setting[] = SETTINGS_LIST.map((setting) => ({
  ...setting,
  Control: CONTROLS[setting.id],
}));

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
