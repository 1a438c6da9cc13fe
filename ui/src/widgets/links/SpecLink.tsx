import { IconExternalLink } from '@tabler/icons-react';
import { type MouseEvent, useState } from 'react';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { onMiddleClick } from './middleClick';
import classes from './SpecLink.module.css';

/** A clause of a specification. The address is ours, not a server's: it opens in the system's browser at once. */
export function SpecLink({ name, url }: { name: string; url: string }) {
  const host = useHost();
  const [problem, setProblem] = useState<string | null>(null);
  const open = (event: MouseEvent): void => {
    event.preventDefault();
    setProblem(null);
    host.call('link_open', { url }).catch((thrown: unknown) => setProblem(commandError(thrown).message));
  };
  return (
    <>
      <a
        href={url}
        className={classes.link}
        data-tip={url}
        rel="noreferrer"
        onClick={open}
        onAuxClick={onMiddleClick(open)}
      >
        {name}
        <IconExternalLink size={13} aria-hidden />
      </a>
      {problem !== null && (
        <span className={classes.problem} role="alert">
          {problem} <span className="pb-mono">{url}</span>
        </span>
      )}
    </>
  );
}
