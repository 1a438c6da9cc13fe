import type { Seq, ServerId } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { commandError } from '../../store/errors';
import type { TrafficView } from '../../workspace/uiState';
import { type LogQuery, wireFilter } from '../filterText';
import { rowTerms } from './columns';

/** The settings of the log that hide records. */
export type Hiding = Pick<TrafficView, 'filter' | 'oneServer' | 'oneRow'>;

/** What the log shows with these settings. `serverId`: the server that it can be of alone. */
export function queryOf(settings: Hiding, serverId: ServerId | null): LogQuery {
  return {
    text: settings.filter,
    serverId: settings.oneServer ? serverId : null,
    terms: rowTerms(settings),
  };
}

/** The settings, without those that hide a record. What hides it, hides it by itself: all that is shown fulfils each. */
export async function showing(
  host: Host,
  settings: Hiding,
  serverId: ServerId | null,
  seq: Seq,
): Promise<Hiding> {
  const all: Hiding = { filter: '', oneServer: false, oneRow: false };
  async function hides(part: Partial<Hiding>): Promise<boolean> {
    const filter = wireFilter(queryOf({ ...all, ...part }, serverId));
    if (filter === '') return false;
    try {
      return (await host.call('traffic_locate', { filter, seq })).index === null;
    } catch (thrown) {
      // A text that is no filter shows no record.
      if (commandError(thrown).code === 'invalidParams') return true;
      throw thrown;
    }
  }
  const { filter, oneServer, oneRow } = settings;
  const [isOther, isElsewhere] = await Promise.all([hides({ filter }), hides({ oneServer })]);
  const shown = { filter: isOther ? '' : filter, oneServer: oneServer && !isElsewhere };
  // A filter may show responses that are hidden without it.
  return { ...shown, oneRow: oneRow && !(await hides({ filter: shown.filter, oneRow })) };
}
