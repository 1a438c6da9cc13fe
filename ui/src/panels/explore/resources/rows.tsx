import {
  IconBell,
  IconBraces,
  IconChevronDown,
  IconChevronRight,
  IconFile,
  IconFileCode,
  IconFileText,
  IconFolder,
  IconMusic,
  IconPhoto,
  IconPointFilled,
  IconTable,
  IconTemplate,
  IconVideo,
  type Icon,
} from '@tabler/icons-react';
import { memo } from 'react';
import type { ResourceItem, ResourceTemplateItem } from '../../../contract/generated';
import type { TreeRow } from '../../../model/lists/resources/resourceTree';
import { formatCount, formatSize } from '../../../model/text/format';
import { LongName } from '../../../widgets/rows/LongName';
import lists from '../list/list.module.css';
import classes from './resources.module.css';

const INDENT = 14;
/** The longest text of a row, in characters: names may have thousands. */
const MAX_LABEL = 300;
const MAX_TIP = 1_000;

const GLYPHS: readonly [RegExp, Icon][] = [
  [/^image\//, IconPhoto],
  [/^audio\//, IconMusic],
  [/^video\//, IconVideo],
  [/csv|tab-separated|spreadsheet/, IconTable],
  [/json/, IconBraces],
  [/^text\/(html|css|javascript|x-)|xml|javascript/, IconFileCode],
  [/^text\//, IconFileText],
];

const indent = (depth: number) => ({ paddingLeft: 10 + depth * INDENT });

interface FolderRowProps {
  line: Extract<TreeRow, { type: 'folder' }>;
  onToggle: () => void;
}

export function FolderRow({ line, onToggle }: FolderRowProps) {
  const Chevron = line.isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div
      className={lists.row}
      style={indent(line.depth)}
      data-tip={line.label.slice(0, MAX_TIP)}
      data-tip-side="right"
    >
      <Chevron
        size={14}
        role="img"
        aria-label={line.isOpen ? 'Open folder' : 'Closed folder'}
        onClick={onToggle}
      />
      <IconFolder size={16} aria-hidden />
      <span className={lists.rowName}>{line.label.slice(0, MAX_LABEL)}</span>
      <span className={`${lists.rowMore} pb-num`}>{formatCount(line.count)}</span>
    </div>
  );
}

interface ResourceRowProps {
  item: ResourceItem;
  label: string;
  depth: number;
  isInTree: boolean;
  isChanged: boolean;
  isSubscribed: boolean;
}

/** Rendered again only when it shows another resource. */
export const ResourceRowView = memo(function ResourceRowView(props: ResourceRowProps) {
  const { item, label, depth, isInTree, isChanged, isSubscribed } = props;
  const Glyph = GLYPHS.find(([types]) => types.test(item.mimeType ?? ''))?.[1] ?? IconFile;
  const more = isInTree ? (item.title ?? (item.name === label ? '' : item.name)) : item.uri;
  return (
    <div
      className={lists.row}
      style={indent(isInTree ? depth + 1 : depth)}
      data-tip={[item.uri, item.description].filter(Boolean).join('\n').slice(0, MAX_TIP)}
      data-tip-side="right"
    >
      {item.icon === null ? <Glyph size={16} aria-hidden /> : <img src={item.icon} alt="" />}
      {label === '' ? (
        <span className={lists.rowName}>
          <i className="pb-dim">no name</i>
        </span>
      ) : (
        <LongName name={label} className={lists.rowName} />
      )}
      <span className={lists.rowMore}>{more.slice(0, MAX_LABEL)}</span>
      {isSubscribed && (
        <IconBell size={14} className={classes.subscribed} role="img" aria-label="Subscribed" />
      )}
      {isChanged && (
        <IconPointFilled
          size={14}
          className={classes.changed}
          role="img"
          aria-label="Changed since last read"
        />
      )}
      {item.size !== null && <span className={`${classes.rowSize} pb-num`}>{formatSize(item.size)}</span>}
    </div>
  );
});

export const TemplateRow = memo(function TemplateRow({ item }: { item: ResourceTemplateItem }) {
  return (
    <div
      className={lists.row}
      data-tip={[item.uriTemplate, item.description].filter(Boolean).join('\n').slice(0, MAX_TIP)}
      data-tip-side="right"
    >
      <IconTemplate size={16} aria-hidden />
      {item.name === '' ? (
        <span className={lists.rowName}>
          <i className="pb-dim">no name</i>
        </span>
      ) : (
        <LongName name={item.name} className={lists.rowName} />
      )}
      <span className={lists.rowMore}>{item.uriTemplate.slice(0, MAX_LABEL)}</span>
    </div>
  );
});
