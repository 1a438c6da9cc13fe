import type { Notifier } from './host';

/** The notifications of a browser; undefined if it has none. They are shown only if the user has allowed them for this page. */
export function browserNotifier(): Notifier | undefined {
  if (typeof Notification === 'undefined') return undefined;
  // Reading it waits for another process of the browser, too long for every time that something is drawn. It changes when it is
  // requested, and by the user in the settings of the browser, from where they come back to this window.
  let permission = Notification.permission;
  const read = (): void => {
    permission = Notification.permission;
  };
  window.addEventListener('focus', read);
  return {
    permission: () => (permission === 'default' ? 'unasked' : permission),
    request: async () => {
      await Notification.requestPermission();
      read();
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
