import { Code } from '@mantine/core';
import { EmptyState } from '../../widgets/layout/EmptyState';

/** Shown in a browser tab that was not opened by its link. */
export function RefusedPage() {
  return (
    <main style={{ height: '100%' }}>
      <EmptyState
        title="This page was not opened by its link"
        text={
          <>
            Run <Code>patchbay serve</Code> and open the full link it prints. In this browser, the full link
            opens more tabs. It works in one browser, so nobody else on this machine can use your servers.
          </>
        }
      />
    </main>
  );
}
