import { Modal } from '@mantine/core';
import { Suspense } from 'react';
import { useModel, useWorkspace } from '../../../model/workspace/context';
import { SideDialog, SidePage } from '../../../widgets/layout/SideList';
import { lazyPart } from '../../../widgets/failure/lazyPart';
import { Waiting } from '../../../widgets/status/Waiting';

// All pages are in it; the first paint does not need them.
const HelpContent = lazyPart(async () => (await import('./HelpContent')).HelpContent);

/** The documentation, in the window: it needs no network. Opens above the dialog it is about. */
export function HelpDialog() {
  const { workspace } = useModel();
  const page = useWorkspace(({ helpPage }) => helpPage);
  const show = (path: string | null): void => workspace.setState({ helpPage: path });
  return (
    <Modal opened={page !== null} onClose={() => show(null)} title="Help" size={980} stackId="help">
      {page !== null && (
        <Suspense fallback={<Loading />}>
          <HelpContent page={page} onShow={show} />
        </Suspense>
      )}
    </Modal>
  );
}

/** As large as the pages, so that the dialog does not grow when they are there. */
function Loading() {
  return (
    <SideDialog width={260} label="Pages" search={null} contents={null}>
      <SidePage>
        <Waiting text="Loading…" />
      </SidePage>
    </SideDialog>
  );
}
