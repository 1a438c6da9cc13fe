import { MantineProvider } from '@mantine/core';
import { useMemo, useSyncExternalStore } from 'react';
import { type Model, ModelProvider } from '../model/workspace/context';
import { PartBoundary } from '../widgets/failure/PartBoundary';
import { Tips } from '../widgets/layout/Tips';
import { RefusedPage } from './notices/RefusedPage';
import { Shell } from './Shell';
import { createColorSchemeManager } from './theme/colorSchemeManager';
import { cssVariables, theme } from './theme/theme';

/** The whole window. */
export function App({ model }: { model: Model }) {
  const { link } = model;
  const status = useSyncExternalStore(
    (listener) => link.subscribe(listener),
    () => link.status,
  );
  const colorSchemeManager = useMemo(() => createColorSchemeManager(model.ui), [model]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <ModelProvider model={model}>
        <PartBoundary resetKey={status}>
          {status === 'refused' ? <RefusedPage /> : <Shell isLost={status === 'lost'} />}
        </PartBoundary>
      </ModelProvider>
      <Tips />
    </MantineProvider>
  );
}
