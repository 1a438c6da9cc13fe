import { GuardedModal } from '../../../widgets/layout/GuardedModal';
import { LogLimits } from '../../../widgets/traffic/LogLimits';

interface LogLimitsDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** The size of the stored log and its limits. */
export function LogLimitsDialog({ opened, onClose }: LogLimitsDialogProps) {
  return (
    <GuardedModal opened={opened} onClose={onClose} title="Size and limits of the traffic log" size={480}>
      <LogLimits onClose={onClose} />
    </GuardedModal>
  );
}
