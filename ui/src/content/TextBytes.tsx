import { useMemo } from 'react';
import { CodeText } from '../widgets/code/CodeView';
import { languageOf } from '../widgets/code/languages';
import { CsvContent, TABLE_LIMIT, isCsv } from './CsvContent';
import { type BytesProps, SaveButton } from './SaveButton';
import classes from './content.module.css';

/** Text that a server sends as bytes. Read as UTF-8. */
export function TextBytes({ bytes, mimeType, fileName, fill }: BytesProps) {
  const text = useMemo(() => new TextDecoder().decode(bytes), [bytes]);
  return (
    <div className={fill ? classes.fillColumn : undefined}>
      <div className={fill ? classes.fillBody : undefined}>
        {isCsv(mimeType) && bytes.byteLength <= TABLE_LIMIT ? (
          <CsvContent text={text} fill={fill} />
        ) : (
          <CodeText
            text={text}
            language={languageOf(mimeType, fileName) ?? 'plain'}
            label="Text"
            height={fill ? 'fill' : undefined}
          />
        )}
      </div>
      <div className={classes.mediaLine}>
        <SaveButton bytes={bytes} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}
