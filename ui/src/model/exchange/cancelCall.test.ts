import { expect, it } from 'vitest';
import type { CommandError, ExchangeId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { cancelCall } from './cancelCall';

it('a call that has ended is cancelled, and any other error is one', async () => {
  const cancel = (code: CommandError['code']): Promise<void> =>
    cancelCall(
      new ScriptedHost({
        exchange_cancel: () => new CommandFailure({ code, message: 'no', detail: null }),
      }),
      'x' as ExchangeId,
    );
  await cancel('notFound');
  await expect(cancel('internal')).rejects.toThrow('no');
});
