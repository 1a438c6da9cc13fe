import { Button, Modal } from '@mantine/core';
import { IconPencil, IconPlugConnected, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { DoctorStep, ServerItem } from '../../../contract/generated';
import { fullName } from '../../../model/connection/serverName';
import { useActions } from '../../../model/workspace/actions';
import { isOpen } from '../../../model/connection/connection';
import { useModel, useReveal } from '../../../model/workspace/context';
import { useDoctor, verdictOf } from '../../../model/connection/doctor';
import { reachedBy } from '../../../model/servers/serverForm';
import { CertificateChoice } from '../../../widgets/controls/CertificateChoice';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import classes from './Doctor.module.css';
import { DoctorSteps } from './DoctorSteps';

/** Why a server cannot be reached: each check with what was sent, what was received, and what to do. */
export function DoctorDialog({ server, onClose }: { server: ServerItem; onClose: () => void }) {
  const { workspace } = useModel();
  const actions = useActions();
  const reveal = useReveal();
  const [attempt, setAttempt] = useState(0);
  const { steps, running, error } = useDoctor({ type: 'server', serverId: server.id }, attempt);
  const certificate = steps.find((step) => step.certificate !== null)?.certificate;
  const name = fullName(server);
  const { transport } = server.draft;

  return (
    <Modal opened onClose={onClose} size={760} title={`Diagnose ${name}`}>
      <p className={`${classes.address} pb-mono pb-selectable`}>{reachedBy(transport)}</p>
      {/* The buttons wait for the checks: the keys begin at what is read first. */}
      <output className={classes.verdict} aria-live="polite" tabIndex={-1} data-autofocus>
        {inWords(steps, running)}
      </output>
      <DoctorSteps
        steps={steps}
        onShow={(seq) => {
          onClose();
          reveal(seq);
        }}
      />
      {error !== null && <CommandAlert error={error} />}
      {certificate && transport.type === 'http' && (
        <CertificateChoice
          certificate={certificate}
          serverId={server.id}
          serverName={name}
          onAccepted={onClose}
        />
      )}
      <div className={classes.foot}>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconPencil size={16} />}
          onClick={() => workspace.setState({ dialog: { type: 'editServer', serverId: server.id } })}
        >
          Edit server…
        </Button>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={running}
          onClick={() => setAttempt(attempt + 1)}
        >
          Run again
        </Button>
        {!isOpen(server.connection.state) && (
          <Button
            variant={certificate === undefined ? 'filled' : 'default'}
            leftSection={<IconPlugConnected size={16} />}
            onClick={() => {
              onClose();
              void actions.connect(server.id);
            }}
          >
            Connect
          </Button>
        )}
      </div>
    </Modal>
  );
}

function inWords(steps: readonly DoctorStep[], running: boolean): string {
  if (running) return 'Checking…';
  const failed = steps.find(({ status }) => status === 'failed');
  if (failed !== undefined) return `Failed: ${failed.title}`;
  switch (verdictOf(steps)) {
    case 'ok':
    case 'skipped':
      return 'All checks passed.';
    case 'warning':
      return 'Reachable, with warnings.';
    case 'running':
    case 'failed':
      return 'Interrupted.';
  }
}
