import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { Steady } from '../../widgets/layout/Steady';

/** Says that settings and what the user saves are not stored, until they are. */
export function NotStoredNotice() {
  const { workspace } = useModel();
  const error = useWorkspace(({ notStored }) => notStored);
  return (
    <Steady>
      {error !== null && (
        <Alert
          color="red"
          radius={0}
          icon={<IconAlertTriangle size={16} />}
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={() => workspace.setState({ notStored: null })}
        >
          Changes of settings and saved requests will be lost when Patchbay is closed. {error.message}
          {error.code === 'invalidParams' && ' Delete saved requests or presets.'}
        </Alert>
      )}
    </Steady>
  );
}
