import { Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { ServerId } from '../../../contract/generated';
import { useModel } from '../../../model/workspace/context';
import { SamplingRulesForm } from './SamplingRulesForm';

interface SamplingRulesDialogProps {
  serverId: ServerId;
  serverName: string;
  onClose: () => void;
}

/** The sampling rules of a server, also when no request is pending: a rule may be that nobody is asked. */
export function SamplingRulesDialog({ serverId, serverName, onClose }: SamplingRulesDialogProps) {
  const { providers } = useModel();
  useEffect(() => void providers.refresh(), [providers]);
  return (
    <Modal opened onClose={onClose} title={`Sampling rules for ${serverName}`}>
      <Text c="dimmed" size="sm">
        What happens when the server requests a completion (sampling). Each automatic decision is recorded in
        the traffic log, next to the request.
      </Text>
      <SamplingRulesForm serverId={serverId} isAlone />
    </Modal>
  );
}
