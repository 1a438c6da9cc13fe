import { MantineProvider } from '@mantine/core';
import { PartFailure } from '../../widgets/failure/PartFailure';
import { cssVariables, theme } from '../theme/theme';

/** Shown instead of the window when it cannot start. */
export function StartFailed({ error }: { error: Error }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <main style={{ height: '100%' }}>
        <PartFailure error={error} />
      </main>
    </MantineProvider>
  );
}
