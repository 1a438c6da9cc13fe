import type { TextBody } from '../../contract/generated';
import { formatSize } from '../../model/text/format';
import { Failed, Waiting } from '../status/Waiting';
import { CodeSurface } from './CodeSurface';
import classes from './CodeView.module.css';
import type { CodeLanguage } from './codeSetup';
import type { JsonMark } from './jsonMarks';
import { type TextForm, useBodyText } from './useBodyText';

export interface CodeViewProps {
  body: TextBody;
  /** Indented, or exactly as received. */
  form: TextForm;
  height?: number | 'fill';
  /** The accessible name. */
  label: string;
  /** The language of a text that is not JSON. */
  language?: CodeLanguage;
  marks?: readonly JsonMark[];
  revealed?: { pointer: string } | null;
}

/** A text of any size, pulled from the engine when it is not inline. */
export function CodeView({ body, form, height, label, language = 'plain', marks, revealed }: CodeViewProps) {
  const loaded = useBodyText(body, form);
  if (loaded.state === 'loading') return <Waiting text={`Loading ${formatSize(body.size)}…`} />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  if (loaded.value === '') return <p className={classes.note}>Empty text</p>;
  return (
    <CodeSurface
      text={loaded.value}
      language={body.pretty === null ? language : 'json'}
      label={label}
      height={height}
      marks={marks}
      revealed={revealed}
    />
  );
}

export interface CodeTextProps {
  text: string;
  language: CodeLanguage;
  height?: number | 'fill';
  label?: string;
  numbered?: boolean;
}

/** A text that is already loaded. */
export function CodeText({ text, language, height, label = 'text', numbered }: CodeTextProps) {
  return <CodeSurface text={text} language={language} label={label} height={height} numbered={numbered} />;
}
