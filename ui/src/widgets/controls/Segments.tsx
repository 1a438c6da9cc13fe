import { type ReactNode, useId } from 'react';
import classes from './Segments.module.css';

export interface Segment<T extends string> {
  value: T;
  label: ReactNode;
  disabled?: boolean;
}

interface SegmentsProps<T extends string> {
  /** The accessible name of the group. */
  label: string;
  id?: string;
  segments: readonly Segment<T>[];
  value: T;
  onChange: (value: T) => void;
  disabled?: boolean;
  /** Takes the whole width, in equal parts. */
  wide?: boolean;
}

/**
 * One of a few choices, side by side: radio buttons that look like one control.
 *
 * Not Mantine's SegmentedControl: which measures its labels to animate the indicator and so forces a layout of the whole window
 * while it renders.
 */
export function Segments<T extends string>({
  label,
  id,
  segments,
  value,
  onChange,
  disabled = false,
  wide = false,
}: SegmentsProps<T>) {
  const name = useId();
  return (
    <div
      className={classes.segments}
      id={id}
      role="radiogroup"
      aria-label={label}
      data-wide={wide || undefined}
    >
      {segments.map((segment) => {
        const off = disabled || segment.disabled === true;
        return (
          <label key={segment.value} className={classes.segment} data-off={off || undefined}>
            <input
              type="radio"
              name={name}
              value={segment.value}
              checked={segment.value === value}
              disabled={off}
              onChange={() => onChange(segment.value)}
            />
            {segment.label}
          </label>
        );
      })}
    </div>
  );
}
