import { type Compared, MAX_COMPARED } from '../model/exchange/comparison';
import { formatSize } from '../model/text/format';
import type { CodeLanguage } from '../widgets/code/codeSetup';
import classes from './ComparedTexts.module.css';
import { DiffView } from './DiffView';

interface ComparedTextsProps {
  before: Compared;
  after: Compared;
  language: CodeLanguage;
  /** Shown above the two texts. */
  titles: readonly [string, string];
}

/** What changed between two texts of bounded size. Fills the rest of a column. */
export function ComparedTexts({ before, after, language, titles }: ComparedTextsProps) {
  return (
    <>
      {(before.isCut || after.isCut) && (
        <p className={classes.note} role="note">
          Too large to compare as a whole: only the first {formatSize(MAX_COMPARED)} of each side.
        </p>
      )}
      <div className={classes.body}>
        <DiffView before={before.text} after={after.text} language={language} titles={titles} />
      </div>
    </>
  );
}
