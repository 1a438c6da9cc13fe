import { Button, Modal, type ModalProps } from '@mantine/core';
import { createContext, use, useId, useLayoutEffect, useState } from 'react';
import classes from './GuardedModal.module.css';

interface Guard {
  /** Escape, a click beside the dialog, its cross or a way out of it would have dropped what was entered. */
  isLeaving: boolean;
  /** Goes where it was left for, or closes it, without a question. */
  discard: () => void;
  leave: (go: () => void) => void;
  setUnsaved: (id: string, isUnsaved: boolean) => void;
}

const GuardContext = createContext<Guard | null>(null);

interface GuardedModalProps extends Omit<ModalProps, 'opened'> {
  /** Without it, it is open as long as it is mounted. */
  opened?: boolean;
  /** Whether something was entered that closing would drop. Parts of the dialog can say so too: `useUnsaved`. */
  isChanged?: boolean;
}

/** A dialog that is not closed by Escape or a click beside it while something was entered. It has a `CancelButton`. */
export function GuardedModal({
  opened = true,
  isChanged = false,
  onClose,
  children,
  ...rest
}: GuardedModalProps) {
  /** Where it is left for; null: it is not. */
  const [asked, setAsked] = useState<{ go: () => void } | null>(null);
  const [parts, setParts] = useState<ReadonlySet<string>>(new Set());
  const isUnsaved = isChanged || parts.size > 0;
  // What was saved meanwhile is not asked for.
  if (asked !== null && !isUnsaved) setAsked(null);
  const leave = (go: () => void): void => (isUnsaved ? setAsked({ go }) : go());
  const [setUnsaved] = useState(
    () =>
      (id: string, isPart: boolean): void =>
        setParts((now) => (now.has(id) === isPart ? now : toggled(now, id))),
  );
  return (
    <Modal {...rest} opened={opened} onClose={() => leave(onClose)} onChange={() => setAsked(null)}>
      <GuardContext value={{ isLeaving: asked !== null, discard: asked?.go ?? onClose, leave, setUnsaved }}>
        {children}
      </GuardContext>
    </Modal>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Says whether a part of a dialog has something that closing would drop. Without effect outside of a `GuardedModal`. */
export function useUnsaved(isUnsaved: boolean): void {
  const id = useId();
  const setUnsaved = use(GuardContext)?.setUnsaved;
  useLayoutEffect(() => {
    setUnsaved?.(id, isUnsaved);
    return () => setUnsaved?.(id, false);
  }, [setUnsaved, id, isUnsaved]);
}

/** How a part of a dialog goes to another dialog: what was entered is not dropped without a question. */
export function useLeave(): (go: () => void) => void {
  return use(GuardContext)?.leave ?? ((go) => go());
}

interface CancelButtonProps {
  /** Its text before closing was tried by other means. */
  label?: string;
  /** It has the focus when the dialog opens. */
  takesFocus?: boolean;
  /** It is there only when closing was tried by other means. */
  onlyLeaving?: boolean;
  /** Leaves a part of the dialog instead of closing it. */
  onCancel?: () => void;
}

/** Closes the dialog around it, or leaves a part of it. Once closing was tried by other means, it says what it drops. */
export function CancelButton({
  label = 'Cancel',
  takesFocus = false,
  onlyLeaving = false,
  onCancel,
}: CancelButtonProps) {
  const guard = use(GuardContext);
  const isLeaving = guard?.isLeaving ?? false;
  if (onlyLeaving && !isLeaving) return null;
  return (
    <>
      {isLeaving && (
        <span role="alert" className={classes.leaving}>
          Unsaved changes.
        </span>
      )}
      <Button
        variant="subtle"
        color={isLeaving ? 'red' : 'gray'}
        data-autofocus={takesFocus || undefined}
        onClick={onCancel ?? guard?.discard}
      >
        {isLeaving ? 'Discard changes' : label}
      </Button>
    </>
  );
}
