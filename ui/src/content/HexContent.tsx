import { useMemo, useState } from 'react';
import { formatSize } from '../model/text/format';
import { HEX_ROW, hexRow } from '../widgets/bytes/hex';
import { VirtualRows } from '../widgets/rows/VirtualRows';
import { type BytesProps, SaveButton } from './SaveButton';
import classes from './content.module.css';

const nothing = (): void => {};

/** Bytes as hex and as text, whatever their number: only the visible rows are written. */
export function HexContent({ bytes, mimeType, fileName, fill }: BytesProps) {
  const view = useMemo(() => new Uint8Array(bytes), [bytes]);
  const [selected, setSelected] = useState<number | null>(null);
  const rows = Math.ceil(view.length / HEX_ROW);
  return (
    <div className={classes.media} data-fill={fill || undefined}>
      {rows > 0 && (
        <div
          className={classes.rowsPlace}
          data-fill={fill || undefined}
          style={fill ? undefined : { height: `min(240px, ${rows} * var(--pb-row-code) + 2px)` }}
        >
          <VirtualRows
            label="Bytes"
            count={rows}
            rowSize="row-code"
            onRange={nothing}
            generation=""
            selected={selected}
            onSelect={setSelected}
            follow={false}
            reveal={null}
            empty={null}
          >
            {(index) => <pre className={`${classes.hexRow} pb-selectable`}>{hexRow(view, index)}</pre>}
          </VirtualRows>
        </div>
      )}
      <div className={classes.mediaLine}>
        <span className={`${classes.dim} pb-num`}>{formatSize(view.length)}</span>
        <span className="pb-grow" />
        <SaveButton bytes={bytes} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}
