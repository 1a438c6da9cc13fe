import { Suspense } from 'react';
import { Panel, Separator } from 'react-resizable-panels';
import { useModel, useUi, useWorkspace } from '../model/workspace/context';
import { PartBoundary } from '../widgets/failure/PartBoundary';
import { lazyPart } from '../widgets/failure/lazyPart';
import { useFocusReturn } from '../widgets/focus/useFocusReturn';

// The first paint does not need the forms and viewers in it.
const InputDialog = lazyPart(async () => (await import('../panels/inbox/InputDialog')).InputDialog);

/** The name of the group whose layout holds the width that the user gave the pane. */
export const WINDOW_GROUP = 'window';

/** The request of a server that is being answered, on the right of all other panes: it hides none of them. */
export function InputPane() {
  const { workspace } = useModel();
  const inputId = useWorkspace((state) => state.openInput);
  const size = useUi(({ layouts }) => widthIn(layouts[WINDOW_GROUP]));
  useFocusReturn(inputId !== null);
  if (inputId === null) return null;
  const close = (): void => workspace.setState({ openInput: null });
  return (
    <>
      <Separator className="pb-separator" />
      <Panel
        id="input"
        defaultSize={size}
        minSize="340px"
        maxSize="60%"
        groupResizeBehavior="preserve-pixel-size"
      >
        <PartBoundary resetKey={inputId}>
          <Suspense>
            <InputDialog key={inputId} inputId={inputId} onClose={close} />
          </Suspense>
        </PartBoundary>
      </Panel>
    </>
  );
}

/** What the user chose; otherwise three tenths of the window, within bounds. */
function widthIn(saved: unknown): string {
  const chosen = typeof saved === 'object' && saved !== null && 'input' in saved ? saved.input : undefined;
  if (typeof chosen === 'number') return `${chosen}%`;
  return `${Math.min(560, Math.max(340, window.innerWidth * 0.3))}px`;
}
