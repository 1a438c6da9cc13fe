import { Button } from '@mantine/core';
import { IconShieldQuestion } from '@tabler/icons-react';
import { useState } from 'react';
import type { CertificateItem, CommandError, ServerId } from '../../contract/generated';
import { useActions } from '../../model/workspace/actions';
import { commandError } from '../../model/store/errors';
import { readableFingerprint } from '../../model/servers/httpForm';
import classes from './CertificateChoice.module.css';
import { Fact, Facts } from '../facts/Facts';
import { CommandAlert } from '../failure/CommandAlert';
import { focused, useFocusWhenOpened } from '../focus/focused';

interface CertificateChoiceProps {
  certificate: CertificateItem;
  serverId: ServerId;
  serverName: string;
  /** Called when the certificate was accepted and the server is connecting. */
  onAccepted?: () => void;
}

/** Scrolls to the question, which may appear below the edge of a dialog. */
function showWhole(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** A rejected certificate, which can be accepted in two steps with its fingerprint in view. */
export function CertificateChoice({ certificate, serverId, serverName, onAccepted }: CertificateChoiceProps) {
  const actions = useActions();
  const [asking, setAsking] = useState(false);
  const acceptButton = useFocusWhenOpened(!asking);
  const [error, setError] = useState<CommandError | null>(null);

  async function accept(): Promise<void> {
    setError(null);
    try {
      await actions.acceptCertificate(serverId, certificate.fingerprint);
      onAccepted?.();
    } catch (thrown) {
      setError(commandError(thrown));
    }
  }

  return (
    <section className={`${classes.certificate} pb-selectable`} aria-label="Certificate">
      <Facts names={112}>
        <Fact name="Subject">{certificate.subject}</Fact>
        <Fact name="Rejection reason">{certificate.reason}</Fact>
        <Fact name="SHA-256" mono className={classes.fingerprint}>
          {readableFingerprint(certificate.fingerprint)}
        </Fact>
      </Facts>
      {asking ? (
        <div className={classes.ask} ref={showWhole}>
          <span>
            Compare the fingerprint with the one on the server. From now on Patchbay connects to {serverName}{' '}
            with this certificate only.
          </span>
          <div className={classes.buttons}>
            <Button variant="default" ref={focused} onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button onClick={() => void accept()}>Accept and connect</Button>
          </div>
        </div>
      ) : (
        <div className={classes.buttons}>
          <Button
            variant="default"
            ref={acceptButton}
            leftSection={<IconShieldQuestion size={16} />}
            onClick={() => setAsking(true)}
          >
            Accept certificate…
          </Button>
        </div>
      )}
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </section>
  );
}
