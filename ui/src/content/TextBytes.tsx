import { type ReactNode, useMemo } from 'react';
import { CodeText } from '../widgets/code/CodeView';
import { languageOf } from '../widgets/code/languages';
import { CsvContent } from './CsvContent';
import { type BytesProps, SaveButton } from './SaveButton';
import classes from './content.module.css';

/** Text that a server sends as bytes. Read as UTF-8. */
export function TextBytes(props: BytesProps) {
  const { mimeType, fileName, fill } = props;
  return (
    <Framed {...props}>
      {(text) => (
        <CodeText
          text={text}
          language={languageOf(mimeType, fileName) ?? 'plain'}
          label="Text"
          height={fill ? 'fill' : undefined}
        />
      )}
    </Framed>
  );
}

/** CSV that a server sends as bytes, as a table. */
export function TableBytes(props: BytesProps) {
  return <Framed {...props}>{(text) => <CsvContent text={text} fill={props.fill} />}</Framed>;
}

function Framed({
  bytes,
  mimeType,
  fileName,
  fill,
  children,
}: BytesProps & { children: (text: string) => ReactNode }) {
  const text = useMemo(() => new TextDecoder().decode(bytes), [bytes]);
  return (
    <div className={fill ? classes.fillColumn : undefined}>
      <div className={fill ? classes.fillBody : undefined}>{children(text)}</div>
      <div className={classes.mediaLine}>
        <SaveButton bytes={bytes} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}
