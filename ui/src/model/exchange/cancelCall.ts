import type { ExchangeId } from '../../contract/generated';
import type { Host } from '../../host/host';
import { commandError } from '../store/errors';

/** Cancels a call. That it has ended already is no failure: its outcome is there, or about to arrive. */
export async function cancelCall(host: Host, exchangeId: ExchangeId): Promise<void> {
  try {
    await host.call('exchange_cancel', { exchangeId });
  } catch (thrown) {
    if (commandError(thrown).code !== 'notFound') throw thrown;
  }
}
