import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useHost } from '../../model/workspace/context';
import { HostNotices } from './HostNotices';
import { SecretNotices } from './SecretNotices';
import classes from '../Shell.module.css';

/** Notices of the engine since its start (e.g. a damaged file was set aside), until dismissed. */
export function Notices() {
  const host = useHost();
  const [notices, setNotices] = useState<string[]>([]);

  useEffect(() => {
    let current = true;
    host
      .call('app_info', {})
      .then((info) => {
        if (current) setNotices(info.notices);
      })
      // A problem of the engine is shown by the parts that call it.
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [host]);

  return (
    <div className={classes.notices}>
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
      <SecretNotices />
      <HostNotices />
    </div>
  );
}
