import {
  type CSSVariablesResolver,
  type MantineColorsTuple,
  ActionIcon,
  Alert,
  Badge,
  Button,
  Input,
  Modal,
  Checkbox,
  Radio,
  createTheme,
  defaultVariantColorsResolver,
} from '@mantine/core';
import { OPEN_MODAL } from '../../widgets/layout/modals';
import { focusMenuButton } from './focusMenuButton';
import { focusFirstItem } from './menuFocus';

/** Patch-cable teal. */
const teal: MantineColorsTuple = [
  '#e6f6f4',
  '#cdebe8',
  '#9dd8d2',
  '#69c4bc',
  '#3fb3a9',
  '#2ba89d',
  '#148f86',
  '#0b7570',
  '#095f5b',
  '#064a47',
];

/** Cool neutral greys, for what Mantine draws itself. */
const gray: MantineColorsTuple = [
  '#f4f6f8',
  '#eceff2',
  '#dce1e6',
  '#c3cad2',
  '#b6bfc8',
  '#7b8692',
  '#5a6570',
  '#525d68',
  '#2f3740',
  '#1a2128',
];
const dark: MantineColorsTuple = [
  '#e2e6ea',
  '#a5afb9',
  '#939da8',
  '#5d6670',
  '#3c444d',
  '#2a3037',
  '#20252b',
  '#1b1f24',
  '#15181c',
  '#111417',
];

/** Deep enough for text on white. */
const red: MantineColorsTuple = [
  '#fdeeee',
  '#fbdcdc',
  '#f4b3b4',
  '#ec8789',
  '#e66265',
  '#e5484d',
  '#c92a30',
  '#bb2127',
  '#9b1a20',
  '#7d1318',
];

/** Mantine's theme: compact sizes and our tokens, set once. Components do not set other sizes or colours. */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 5 },
  // What is on a filled shape is a token: one shade of text does not fit the fills of both themes.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    // What is pressed, and on.
    if (input.variant === 'light' && input.color === 'teal') {
      const fill = 'var(--pb-accent-soft)';
      return { ...colors, background: fill, hover: fill, color: 'var(--pb-accent-text)' };
    }
    if (input.variant !== 'filled') return colors;
    return { ...colors, color: input.color === 'red' ? 'var(--pb-on-danger)' : 'var(--pb-on-accent)' };
  },
  colors: { teal, gray, dark, red },
  fontFamily: 'var(--pb-font)',
  fontFamilyMonospace: 'var(--pb-mono)',
  fontSizes: {
    xs: 'var(--pb-size-s)',
    sm: 'var(--pb-size-m)',
    md: 'var(--pb-size-m)',
    lg: 'var(--pb-size-l)',
    xl: 'var(--pb-size-xl)',
  },
  lineHeights: {
    xs: 'var(--pb-line-s)',
    sm: 'var(--pb-line)',
    md: 'var(--pb-line)',
    lg: 'var(--pb-line-l)',
    xl: 'var(--pb-line-xl)',
  },
  spacing: { xs: '6px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '2px', sm: '4px', md: '5px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--pb-size-xl)', lineHeight: '1.4' },
      h2: { fontSize: 'var(--pb-size-l)', lineHeight: 'var(--pb-line-l)' },
      h3: { fontSize: 'var(--pb-size-m)', lineHeight: 'var(--pb-line)' },
    },
  },
  focusRing: 'auto',
  cursorType: 'default',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'xs' },
      vars: (_theme, props) => ({
        root:
          props.size === 'compact-xs'
            ? { '--button-height': 'var(--pb-control-xs)' }
            : props.size === 'xs'
              ? {
                  '--button-height': 'var(--pb-control)',
                  '--button-fz': 'var(--pb-size-m)',
                  '--button-padding-x': '12px',
                }
              : {},
      }),
      // The label of a button is never cut off; the elements next to it shrink.
      styles: { root: { flexShrink: 0 }, label: { fontWeight: 500 } },
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: 'subtle', color: 'gray', size: 'var(--pb-control-s)' },
    }),
    Input: Input.extend({
      defaultProps: { size: 'xs' },
      vars: (_theme, props) => ({
        wrapper:
          props.size === 'xs'
            ? { '--input-height': 'var(--pb-control)', '--input-fz': 'var(--pb-size-m)' }
            : {},
      }),
    }),
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { size: 'xs' },
      vars: () => ({
        label: { '--input-label-size': 'var(--pb-size-m)' },
        error: { '--input-error-size': 'var(--pb-size-s)' },
        description: { '--input-description-size': 'var(--pb-size-s)' },
        success: {},
      }),
      styles: {
        label: { fontWeight: 500 },
        description: { lineHeight: 'var(--pb-line-s)', marginBottom: 2 },
      },
    }),
    TextInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', checkIconPosition: 'right' } },
    Checkbox: Checkbox.extend({
      defaultProps: { size: 'xs' },
      vars: () => ({ root: { '--checkbox-icon-color': 'var(--pb-on-accent)' } }),
    }),
    Switch: { defaultProps: { size: 'xs' } },
    Radio: Radio.extend({
      defaultProps: { size: 'xs' },
      vars: () => ({ root: { '--radio-icon-color': 'var(--pb-on-accent)' } }),
    }),
    Menu: {
      defaultProps: {
        shadow: 'md',
        withinPortal: true,
        transitionProps: { duration: 80 },
        // A menu has nothing but items: the first has the focus, which is drawn only where it was opened by a key.
        withInitialFocusPlaceholder: false,
        // In a small or zoomed window, it has the room that is left beside its button, and the other items are scrolled to.
        middlewares: { size: { padding: 8 } },
        styles: { dropdown: { overflowY: 'auto' } },
      },
    },
    MenuDropdown: { defaultProps: { ref: focusFirstItem } },
    MenuItem: { defaultProps: { onClickCapture: focusMenuButton } },
    Popover: { defaultProps: { shadow: 'md', withinPortal: true, transitionProps: { duration: 80 } } },
    Modal: Modal.extend({
      defaultProps: {
        transitionProps: { duration: 100, transition: 'fade' },
        yOffset: '8vh',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
        // The banner of the window is its title bar.
        attributes: { header: { role: 'presentation' } },
      },
      classNames: (_theme, { opened }) => ({ root: opened ? OPEN_MODAL : '' }),
      styles: {
        title: { fontSize: 'var(--pb-size-l)', fontWeight: 600 },
        header: { minHeight: 0, paddingBlock: 12 },
      },
    }),
    Alert: Alert.extend({
      defaultProps: { variant: 'light', p: 'sm' },
      vars: (_theme, { color }) => ({
        root:
          color === 'gray'
            ? { '--alert-bg': 'var(--pb-sunken)', '--alert-color': 'var(--pb-text-dim)' }
            : color === 'yellow'
              ? { '--alert-bg': 'var(--pb-warn-soft)', '--alert-color': 'var(--pb-warn)' }
              : { '--alert-bg': 'var(--pb-error-soft)', '--alert-color': 'var(--pb-error)' },
      }),
      styles: { message: { color: 'var(--pb-text)' } },
    }),
    Badge: Badge.extend({
      defaultProps: { size: 'sm', variant: 'light', radius: 'sm' },
      vars: () => ({ root: { '--badge-height': 'calc(var(--pb-line-s) + 2px)' } }),
      styles: {
        root: { textTransform: 'none', fontWeight: 500, letterSpacing: 0 },
        label: { fontSize: 'var(--pb-size-xs)' },
      },
    }),
    Tabs: { defaultProps: { keepMounted: false } },
  },
});

/** Points Mantine's semantic variables at our tokens. */
export const cssVariables: CSSVariablesResolver = () => {
  const tokens = {
    '--mantine-color-body': 'var(--pb-pane)',
    '--mantine-color-text': 'var(--pb-text)',
    '--mantine-color-dimmed': 'var(--pb-text-dim)',
    '--mantine-color-placeholder': 'var(--pb-text-faint)',
    '--mantine-color-default': 'var(--pb-pane)',
    '--mantine-color-default-hover': 'var(--pb-sunken)',
    '--mantine-color-default-border': 'var(--pb-hairline-strong)',
    '--mantine-color-default-color': 'var(--pb-text)',
    '--mantine-color-error': 'var(--pb-error)',
    '--mantine-color-anchor': 'var(--pb-accent-text)',
    '--mantine-color-teal-filled': 'var(--pb-accent)',
    '--mantine-color-teal-filled-hover': 'var(--pb-accent-hover)',
    '--mantine-color-red-filled': 'var(--pb-danger)',
    '--mantine-color-red-filled-hover': 'var(--pb-danger-hover)',
    '--mantine-primary-color-contrast': 'var(--pb-on-accent)',
  };
  return { variables: {}, light: tokens, dark: tokens };
};
