import { MantineProvider } from '@mantine/core';
import { type Model, ModelProvider } from '../model/context';
import { cssVariables, theme } from './theme';

export function App({ model }: { model: Model }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <ModelProvider model={model}>Patchbay</ModelProvider>
    </MantineProvider>
  );
}
