import type { ReactNode } from 'react';
import classes from './result.module.css';

interface BannerProps {
  tone: 'ok' | 'warn' | 'error' | 'off';
  title: string;
  children?: ReactNode;
}

/** The outcome of a request in one line, above its content. */
export function Banner({ tone, title, children }: BannerProps) {
  return (
    <div
      className={`${classes.banner} pb-selectable`}
      data-tone={tone}
      role={tone === 'error' ? 'alert' : undefined}
    >
      <div className={classes.bannerTitle}>{title}</div>
      {children}
    </div>
  );
}
