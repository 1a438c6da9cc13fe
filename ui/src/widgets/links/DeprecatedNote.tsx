import { DEPRECATED, type DeprecatedFeature } from '../../model/connection/deprecated';
import classes from './DeprecatedNote.module.css';
import { SpecLink } from './SpecLink';

interface DeprecatedNoteProps {
  feature: DeprecatedFeature;
  /** Among other text, not as a bar of its own. */
  isInline?: boolean;
}

/** Says that the specification deprecates a feature, and where to go instead. */
export function DeprecatedNote({ feature, isInline = false }: DeprecatedNoteProps) {
  const { since, migration, removal, url } = DEPRECATED[feature];
  return (
    <p
      className={isInline ? classes.inline : classes.note}
      role="note"
      data-tip={`It may be removed in ${removal}.`}
    >
      <SpecLink name={`Deprecated in ${since}.`} url={url} /> {migration}
    </p>
  );
}
