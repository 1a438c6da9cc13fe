import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useHost, useModel } from '../../model/workspace/context';
import { Steady } from '../../widgets/layout/Steady';
import { HostNotices } from './HostNotices';
import { NotStoredNotice } from './NotStoredNotice';
import { SecretNotices } from './SecretNotices';
import classes from '../Shell.module.css';

/**
 * Notices of the engine since its start (e.g. a damaged file was set aside), until dismissed; and why the traffic log cannot be
 * written, as long as it cannot: connections may wait for it.
 */
export function Notices() {
  const host = useHost();
  const { events } = useModel();
  const [notices, setNotices] = useState<string[]>([]);
  const [logProblem, setLogProblem] = useState<string | null>(null);

  useEffect(() => {
    let current = true;
    const pull = async (withNotices: boolean) => {
      const info = await host.call('app_info', {});
      if (!current) return;
      if (withNotices) setNotices(info.notices);
      setLogProblem(info.logProblem);
    };
    // A problem of the engine is shown by the parts that call it.
    const refresh = (withNotices: boolean) => void pull(withNotices).catch(() => {});
    refresh(true);
    const stops = [events.subscribe('log', () => refresh(false)), events.onResync(() => refresh(false))];
    return () => {
      current = false;
      for (const stop of stops) stop();
    };
  }, [host, events]);

  return (
    <div className={classes.notices}>
      <Steady>
        {logProblem !== null && (
          <Alert color="red" radius={0} icon={<IconAlertTriangle size={16} />}>
            {logProblem}
          </Alert>
        )}
        {notices.map((notice) => (
          <Alert
            key={notice}
            color="yellow"
            radius={0}
            icon={<IconInfoCircle size={16} />}
            withCloseButton
            closeButtonLabel="Dismiss"
            onClose={() => setNotices((all) => all.filter((each) => each !== notice))}
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
