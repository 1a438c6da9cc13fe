import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { MouseEventHandler, Ref } from 'react';
import type { ShortcutId } from '../../model/workspace/shortcuts';
import { useShortcutText, withShortcut } from '../../model/workspace/shortcuts/bound';

interface IconButtonProps extends ActionIconProps {
  icon: Icon;
  /** The accessible name and the tooltip. */
  label: string;
  /** Shown in the tooltip. */
  shortcut?: ShortcutId;
  /** For a switch: whether it is on. */
  pressed?: boolean;
  tabIndex?: number;
  /** In a menu, which may hold nothing but items. */
  role?: 'menuitem';
  onClick?: MouseEventHandler<HTMLButtonElement>;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with only an icon; its tooltip has the label and the shortcut. */
export function IconButton({ icon: Glyph, label, shortcut, pressed, ref, ...rest }: IconButtonProps) {
  const text = withShortcut(label, useShortcutText(shortcut));
  return (
    <ActionIcon
      ref={ref}
      aria-label={label}
      aria-pressed={pressed}
      data-tip={text}
      variant={pressed === true ? 'light' : 'subtle'}
      color={pressed === true ? 'teal' : 'gray'}
      {...rest}
    >
      <Glyph size={16} />
    </ActionIcon>
  );
}
