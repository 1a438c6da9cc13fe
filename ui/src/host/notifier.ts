import type { Notifier } from './host';

/** The notifications of a browser; undefined if it has none. They are shown only if the user has allowed them for this page. */
export function browserNotifier(): Notifier | undefined {
  if (typeof Notification === 'undefined') return undefined;
  return {
    permission: () => (Notification.permission === 'default' ? 'unasked' : Notification.permission),
    request: async () => {
      await Notification.requestPermission();
    },
    show({ title, body }, onClick) {
      // One with the same tag replaces the one before.
      const shown = new Notification(title, { body, tag: 'patchbay-inbox' });
      shown.addEventListener('click', () => {
        window.focus();
        shown.close();
        onClick();
      });
    },
  };
}
