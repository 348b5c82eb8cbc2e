import type { EntityManager } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { Context } from '../../kernel/context.ts'
import { settingsOf } from '../../settings/stored.ts'
import { beatProcess } from '../definition/subject.ts'
import { beginHeartbeat } from './token.ts'

/** Calls are noted whether or not they mean anything: that they do only while the beat is on, and the page has its beats on. */
export const expectsCalls = async (tx: EntityManager, { enabled }: Beat): Promise<boolean> =>
  enabled && (await settingsOf(tx)).synthetics_enabled

/** The page has switched its beats on again: from now on calls are awaited. */
export async function expectCallsAgain(ctx: Context): Promise<void> {
  for (const beat of await ctx.tx.find(Beat, { type: 'heartbeat' }, { orderBy: { id: 'asc' } })) {
    await beginHeartbeat(ctx, beat)
    ctx.wake(beatProcess(beat), 'the beats of the page, which were switched on')
  }
}
