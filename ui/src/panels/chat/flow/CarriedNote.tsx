import { IconArrowsExchange } from '@tabler/icons-react';
import type { ChatCall } from '../../../contract/generated';
import classes from './flow.module.css';

/** What a call takes from one server to another, and whether that is known; nothing if it takes nothing. */
export function CarriedNote({ call }: { call: ChatCall }) {
  const { carried, comparedInPart, serverName } = call;
  const crossing = carried.filter(({ crosses }) => crosses);
  if (crossing.length === 0 && !comparedInPart) return null;
  return (
    <div className={classes.carried} role="note" aria-label="Data from another server">
      <IconArrowsExchange size={14} aria-hidden />
      <div>
        {crossing.length > 0 && (
          <>
            The arguments send data from another server to {serverName}:
            <ul>
              {crossing.map((one) => (
                <li key={`${one.item} ${one.excerpt}`} className="pb-selectable">
                  <strong>{one.serverName}</strong>: “{one.excerpt}”
                </li>
              ))}
            </ul>
          </>
        )}
        {comparedInPart &&
          'The conversation is too long to compare all of it with the arguments. They may contain data from another server.'}
      </div>
    </div>
  );
}
