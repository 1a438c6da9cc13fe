import type { ReactNode } from 'react';
import { ErrorBoundary, type Failure } from './ErrorBoundary';
import { PartFailure } from './PartFailure';
import { tryPartsAgain } from './lazyPart';

interface PartBoundaryProps {
  /** When it changes, the part is tried again. */
  resetKey: string;
  /** Shows the message where it can be seen, if the part has its own place: a dialog, a dock with tabs. */
  renderFailure?: (message: ReactNode) => ReactNode;
  children: ReactNode;
}

/** A part of the window that can fail, in drawing or in loading its code, without the rest. */
export function PartBoundary({
  resetKey,
  renderFailure = (message) => message,
  children,
}: PartBoundaryProps) {
  const fallback = ({ retry, ...failure }: Failure): ReactNode =>
    renderFailure(
      <PartFailure
        {...failure}
        onRetry={() => {
          tryPartsAgain();
          retry();
        }}
      />,
    );
  return (
    <ErrorBoundary resetKey={resetKey} fallback={fallback}>
      {children}
    </ErrorBoundary>
  );
}
