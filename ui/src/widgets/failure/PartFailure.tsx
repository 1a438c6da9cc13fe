import { Button, CopyButton, Group } from '@mantine/core';
import { EmptyState } from '../layout/EmptyState';
import { PartNotLoaded } from './lazyPart';

interface PartFailureProps {
  error: Error;
  /** Where it happened, for the developers who fix it. */
  componentStack?: string;
  onRetry?: () => void;
}

/** Says that a part of the window failed, and what can be done. */
export function PartFailure({ error, componentStack = '', onRetry }: PartFailureProps) {
  const notLoaded = error instanceof PartNotLoaded;
  return (
    <div role="alert" style={{ height: '100%' }} className="pb-selectable">
      <EmptyState
        title={
          notLoaded ? 'This part of Patchbay could not be loaded' : 'This part of Patchbay cannot be shown'
        }
        text={
          <>
            {notLoaded
              ? 'Its code could not be downloaded. Patchbay may have stopped, or was updated while this page was open.'
              : 'This is an error in Patchbay. Your servers and the recording continue.'}
            <br />
            <span className="pb-mono">{messageOf(error)}</span>
          </>
        }
      >
        <Group gap="xs" justify="center">
          {onRetry !== undefined && (
            <Button variant="default" onClick={onRetry}>
              Try again
            </Button>
          )}
          <Button variant="default" onClick={() => location.reload()}>
            Reload page
          </Button>
          <CopyButton value={detailsOf(error, componentStack)}>
            {({ copied, copy }) => (
              <Button variant="subtle" color="gray" onClick={copy}>
                {copied ? 'Copied' : 'Copy details'}
              </Button>
            )}
          </CopyButton>
        </Group>
      </EmptyState>
    </div>
  );
}

function messageOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? cause.message : error.message;
}

function detailsOf(error: Error, componentStack: string): string {
  const { cause } = error;
  return [
    String(error),
    cause instanceof Error ? `Cause: ${cause.message}` : '',
    error.stack ?? '',
    componentStack,
    navigator.userAgent,
  ]
    .filter((part) => part !== '')
    .join('\n');
}
