import { Component, type ReactNode } from 'react';

export interface ErrorBoundaryProps {
  children: ReactNode;
  /** What is shown instead. */
  fallback: (error: Error) => ReactNode;
  /** When it changes, the children are tried again. */
  resetKey: string;
}

/** Keeps a failure while drawing to the part that failed. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null; key: string }> {
  override state: { error: Error | null; key: string } = { error: null, key: this.props.resetKey };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  static getDerivedStateFromProps(
    props: ErrorBoundaryProps,
    state: { error: Error | null; key: string },
  ): { error: null; key: string } | null {
    return props.resetKey === state.key ? null : { error: null, key: props.resetKey };
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : this.props.fallback(this.state.error);
  }
}
