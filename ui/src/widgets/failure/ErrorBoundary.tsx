import { Component, type ErrorInfo, type ReactNode } from 'react';

/** What went wrong while drawing. */
export interface Failure {
  error: Error;
  /** Where: the components from the failed one outwards. */
  componentStack: string;
  /** Draws the part again. */
  retry: () => void;
}

export interface ErrorBoundaryProps {
  children: ReactNode;
  /** What is shown instead. */
  fallback: (failure: Failure) => ReactNode;
  /** When it changes, the children are tried again. */
  resetKey: string;
}

interface State {
  error: Error | null;
  componentStack: string;
  key: string;
}

/** Keeps a failure while drawing to the part that failed. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { error: null, componentStack: '', key: this.props.resetKey };

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: State): State | null {
    return props.resetKey === state.key ? null : { error: null, componentStack: '', key: props.resetKey };
  }

  override componentDidCatch(_: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ componentStack: componentStack ?? '' });
  }

  override render(): ReactNode {
    const { error, componentStack } = this.state;
    if (error === null) return this.props.children;
    const retry = (): void => this.setState({ error: null, componentStack: '' });
    return this.props.fallback({ error, componentStack, retry });
  }
}
