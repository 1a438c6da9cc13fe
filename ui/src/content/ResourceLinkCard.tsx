import { IconLink } from '@tabler/icons-react';
import type { ContentItem } from '../contract/generated';
import { formatSize } from '../model/text/format';
import { useOpenResource } from '../model/lists/resources/useOpenResource';
import { CopyUri } from '../widgets/links/CopyUri';
import { LinkButton } from '../widgets/links/LinkButton';
import { Clamped } from '../widgets/text/Clamped';
import classes from './content.module.css';

/** A link to a resource on the server; it opens in Resources. */
export function ResourceLinkCard({ link }: { link: Extract<ContentItem, { type: 'resourceLink' }> }) {
  const open = useOpenResource();
  const facts = [link.mimeType, link.size === null ? null : formatSize(link.size)]
    .filter(Boolean)
    .join(' · ');
  return (
    <div className={`${classes.link} pb-selectable`}>
      <IconLink size={16} aria-hidden />
      <div className={classes.linkBody}>
        <LinkButton onClick={() => open(link.uri)}>
          {link.title ?? (link.name === '' ? link.uri : link.name)}
        </LinkButton>
        <div className="pb-mono">{link.uri}</div>
        {link.description !== null && (
          <div className={classes.dim}>
            <Clamped text={link.description} label="Description" />
          </div>
        )}
        {facts !== '' && <div className={classes.dim}>{facts}</div>}
      </div>
      <CopyUri uri={link.uri} />
    </div>
  );
}
