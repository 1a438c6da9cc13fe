import { Code } from '@mantine/core';
import { EmptyState } from '../../widgets/layout/EmptyState';

/** Shown in a browser tab that the engine does not know. */
export function RefusedPage() {
  return (
    <main style={{ height: '100%' }}>
      <EmptyState
        title="This page was not opened by its link"
        text={
          <>
            Run <Code>patchbay serve</Code> and open the address it prints. The address works once, in one
            browser, so that nobody else on this machine can use your servers.
          </>
        }
      />
    </main>
  );
}
