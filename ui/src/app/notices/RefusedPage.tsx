import { Code } from '@mantine/core';
import { EmptyState } from '../../widgets/layout/EmptyState';

/** Shown in a browser tab that was not opened by its link. */
export function RefusedPage() {
  return (
    <main style={{ height: '100%' }}>
      <EmptyState
        title="This page was not opened with its link"
        text={
          <>
            Run <Code>patchbay serve</Code> and open the full link it prints. The same link opens more tabs in
            this browser. It works in only one browser, which keeps other users of this machine from using
            your servers.
          </>
        }
      />
    </main>
  );
}
