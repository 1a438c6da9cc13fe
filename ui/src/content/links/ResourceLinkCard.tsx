import { IconLink } from '@tabler/icons-react';
import { use } from 'react';
import type { ContentItem } from '../../contract/generated';
import { formatSize } from '../../model/text/format';
import { useOpenResource } from '../../model/lists/resources/useOpenResource';
import { useServerPart } from '../../model/workspace/context';
import { CopyUri } from '../../widgets/links/CopyUri';
import { LinkButton } from '../../widgets/links/LinkButton';
import { Clamped } from '../../widgets/text/Clamped';
import { ContentServer } from './contentServer';
import classes from '../content.module.css';

/** A link to a resource on the server; it opens in Resources of that server, unless that was removed or is not known. */
export function ResourceLinkCard({ link }: { link: Extract<ContentItem, { type: 'resourceLink' }> }) {
  const open = useOpenResource();
  const from = use(ContentServer);
  const serverId = useServerPart(from, (server) => server?.id);
  const name = link.title ?? (link.name === '' ? link.uri : link.name);
  const facts = [link.mimeType, link.size === null ? null : formatSize(link.size)]
    .filter(Boolean)
    .join(' · ');
  return (
    <div className={`${classes.link} pb-selectable`}>
      <IconLink size={16} aria-hidden />
      <div className={classes.linkBody}>
        {serverId === undefined ? (
          <div>{name}</div>
        ) : (
          <LinkButton onClick={() => open(serverId, link.uri)}>{name}</LinkButton>
        )}
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
