import { Popover } from '@mantine/core';
import { IconChevronUp } from '@tabler/icons-react';
import { CodeText } from '../../../widgets/code/CodeView';
import classes from './request.module.css';

interface ParamsPreviewProps {
  /** JSON text. */
  params: string;
  method: string;
  valid: boolean;
}

/** The params before they are sent: on one line, in full on click. */
export function ParamsPreview({ params, method, valid }: ParamsPreviewProps) {
  if (!valid) return null;
  return (
    <Popover position="top-start" width={560} withinPortal>
      <Popover.Target>
        <button type="button" className={classes.preview} data-tip="Show the full params">
          <span className={classes.previewLabel}>params</span>
          <code className={classes.previewText}>{params.slice(0, 400).replaceAll(/\s*\n\s*/g, ' ')}</code>
          <IconChevronUp size={14} />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <div className={classes.previewFull}>
          <CodeText text={params} language="json" label={`params of ${method}`} numbered={false} />
        </div>
        <p className={classes.previewNote}>
          Sent exactly as shown. The protocol adds a progress token and, in the modern era, its own members to
          _meta.
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}
