import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { coalesce } from '../../model/store/coalesce';
import { useHost, useModel } from '../../model/workspace/context';
import { Steady } from '../../widgets/layout/Steady';
import { HostNotices } from './HostNotices';
import { NotStoredNotice } from './NotStoredNotice';
import { SecretNotices } from './SecretNotices';
import classes from '../Shell.module.css';

/** How often they are pulled at most: a busy connection is a change of the servers in each frame. */
const PULL_EVERY_MS = 250;

/**
 * Notices of the engine since its start (e.g. a damaged file was set aside), until dismissed; and why the traffic log cannot be
 * written, as long as it cannot: connections may wait for it.
 */
export function Notices() {
  const host = useHost();
  const { events } = useModel();
  const [notices, setNotices] = useState<readonly string[]>([]);
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const [logProblem, setLogProblem] = useState<string | null>(null);

  useEffect(() => {
    let current = true;
    const pull = async () => {
      try {
        const info = await host.call('app_info', {});
        if (!current) return;
        setNotices(info.notices);
        setLogProblem(info.logProblem);
      } catch {
        // A problem of the engine is shown by the parts that call it.
      }
    };
    const refresh = coalesce(pull, PULL_EVERY_MS);
    void refresh();
    // Before a change of the servers, their file is read.
    const stops = (['log', 'servers'] as const).map((topic) => events.subscribe(topic, () => void refresh()));
    stops.push(events.onResync(() => void refresh()));
    return () => {
      current = false;
      for (const stop of stops) stop();
    };
  }, [host, events]);

  const shown = notices.filter((notice) => !dismissed.includes(notice));

  return (
    <div className={classes.notices}>
      <Steady>
        {logProblem !== null && (
          <Alert color="red" radius={0} icon={<IconAlertTriangle size={16} />}>
            {logProblem}
          </Alert>
        )}
        {shown.map((notice) => (
          <Alert
            key={notice}
            color="yellow"
            radius={0}
            icon={<IconInfoCircle size={16} />}
            withCloseButton
            closeButtonLabel="Dismiss"
            onClose={() => setDismissed((all) => [...all, notice])}
          >
            {notice}
          </Alert>
        ))}
      </Steady>
      <NotStoredNotice />
      <SecretNotices />
      <HostNotices />
    </div>
  );
}
