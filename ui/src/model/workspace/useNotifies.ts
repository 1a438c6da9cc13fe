import { useState } from 'react';
import { useHost, useModel, useUi } from './context';

interface Notifies {
  state: 'on' | 'off' | 'denied' | 'unsupported';
  toggle: () => void;
}

/** Whether requests of servers are notified of while the window is not in front. */
export function useNotifies(): Notifies {
  const { notifier } = useHost();
  const { ui } = useModel();
  const notifies = useUi((state) => state.notifies);
  // The browser does not say when its permission changes; it changes here.
  const [, setAsked] = useState(0);
  const permission = notifier?.permission();
  const isOn = permission === 'granted' && notifies;
  const toggle = (): void => {
    ui.setState({ notifies: !isOn });
    if (permission === 'unasked') void notifier?.request().finally(() => setAsked((count) => count + 1));
  };
  if (permission === undefined) return { state: 'unsupported', toggle };
  return { state: permission === 'denied' ? 'denied' : isOn ? 'on' : 'off', toggle };
}
