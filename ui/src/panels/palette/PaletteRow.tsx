import { memo } from 'react';
import { useShortcutText } from '../../model/workspace/shortcuts/bound';
import classes from './Palette.module.css';
import type { Found, PaletteEntry } from './search';

interface PaletteRowProps {
  id: string;
  found: Found;
  isActive: boolean;
  /** Whether it says what kind of thing it is. */
  hasKind: boolean;
  onChoose: (entry: PaletteEntry) => void;
}

/** One entry. Rendered again only when it shows another one. */
export const PaletteRow = memo(function PaletteRow(props: PaletteRowProps) {
  const { id, found, isActive, hasKind, onChoose } = props;
  const { entry, label } = found;
  const { icon: Glyph, more, owner, kind, shortcut } = entry;
  const keys = useShortcutText(shortcut?.id, shortcut?.index);
  return (
    // The field handles keys: it has the focus and names the active entry.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      // The parts that match would be read as words of their own.
      aria-label={[entry.label, more, kind, owner].filter(Boolean).join(', ')}
      className={classes.row}
      data-selected={isActive || undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(entry)}
    >
      <Glyph size={16} aria-hidden />
      <span className={classes.label}>
        {label.map(({ text, isMatch }, i) => (isMatch ? <mark key={i}>{text}</mark> : text))}
      </span>
      <span className={classes.more}>{more}</span>
      {owner !== null && <span className={classes.owner}>{owner}</span>}
      {keys !== '' && <kbd className={classes.kind}>{keys}</kbd>}
      {hasKind && <span className={classes.kind}>{kind}</span>}
    </div>
  );
});
