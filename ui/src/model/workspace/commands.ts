import type { Icon } from '@tabler/icons-react';
import type { ServerItem } from '../../contract/generated';
import type { Actions } from './actions';
import type { Model } from './context';
import type { FocusPlace } from './workspace';

/** Whether something can be used: yes, no and not shown, or no and shown dimmed with the reason. */
export type Availability = true | 'hidden' | { disabledReason: string };

/** What a command works with. */
export interface CommandContext {
  model: Model;
  actions: Actions;
}

/** Something the user can do anywhere in the window: by a key, and in the palette. */
export interface Command {
  /** Also names its shortcut (shortcuts.ts), if it has keys by default. */
  id: string;
  title: string | ((model: Model) => string);
  icon: Icon;
  /** What the palette says it is; without one, an action. */
  kind?: 'Panel' | 'Setting';
  /** Further words the palette finds it by. */
  keywords?: string;
  /** Where the focus goes when it was chosen in the palette; without one, back to where it was. */
  focus?: FocusPlace;
  /** Whether the palette offers it; without one, always. */
  available?: (model: Model) => boolean;
  /** `index`: for a shortcut with a range of keys, which of them. False if there is nothing to do: the key is left alone. */
  run: (context: CommandContext, index: number) => boolean | void;
}

/** Something the user can do with one server: in its menu, and in the palette while it is selected. */
export interface ServerCommand {
  id: string;
  /** As in the menu of the server. */
  title: string;
  /** As in the palette, among other things. */
  titleFor: (serverName: string) => string;
  icon: Icon;
  keywords?: string;
  /** Commands of one section are grouped in the menu. Without a section, the command is only in the palette. */
  section?: 'connection' | 'settings' | 'danger';
  available?: (server: ServerItem, model: Model) => Availability;
  run: (context: CommandContext, server: ServerItem) => void;
}

/** Something the user can do with a group of servers: in the menu of its heading, and in the palette. */
export interface GroupCommand {
  id: string;
  /** As in the menu of the group. */
  title: string;
  /** As in the palette, among other things. */
  titleFor: (group: string) => string;
  icon: Icon;
  keywords?: string;
  section: 'connection' | 'settings' | 'danger';
  available?: (group: string, model: Model) => Availability;
  run: (context: CommandContext, group: string) => void;
}
