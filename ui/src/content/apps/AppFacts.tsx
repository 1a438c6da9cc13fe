import { Popover } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import type { AppFrameOpenResponse } from '../../contract/generated';
import { formatSize } from '../../model/text/format';
import { IconButton } from '../../widgets/controls/IconButton';
import { Fact, Facts } from '../../widgets/facts/Facts';
import classes from './app.module.css';

/** What an app may reach, and what it declared but is refused. */
export function AppFacts({ uri, frame }: { uri: string; frame: AppFrameOpenResponse }) {
  const { origins, permissions, refused, domain, policy, size } = frame;
  return (
    <Popover position="bottom-end" width={460} withinPortal trapFocus>
      <Popover.Target>
        <IconButton icon={IconShieldLock} label="What this app may do" />
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.facts}>
          <Facts names={120} size="small">
            <Fact name="App" mono>
              {uri}
            </Fact>
            <Fact name="HTML">{formatSize(size)}</Fact>
            <Fact name="Origin">
              Opaque: no access to Patchbay, no cookies, no storage, no popups.
              {domain !== null && ` Requested: ${domain}.`}
            </Fact>
            <Fact name="Requests to">{listOr(origins.connect, 'Nowhere')}</Fact>
            <Fact name="Resources from">{listOr(origins.resource, 'Only its own HTML')}</Fact>
            <Fact name="Frames from">{listOr(origins.frame, 'Nowhere')}</Fact>
            <Fact name="Base URIs">{listOr(origins.baseUri, 'None')}</Fact>
            <Fact name="Permissions">{listOr(permissions, 'None')}</Fact>
            <Fact name="Not allowed">
              {refused.length > 0 && (
                <ul className={classes.list}>
                  {refused.map((each) => (
                    <li key={each}>{each}</li>
                  ))}
                </ul>
              )}
            </Fact>
            <Fact name="Policy" mono>
              {policy}
            </Fact>
          </Facts>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function listOr(items: string[], none: string) {
  if (items.length === 0) return none;
  return (
    <ul className={`${classes.list} pb-mono`}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
