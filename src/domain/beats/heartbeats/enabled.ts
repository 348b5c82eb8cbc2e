import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { settingsOf } from '../../settings/stored.ts'

/** Whether calls can change the stage: the beat and the beats of the page are enabled. Calls are always stored. */
export const expectsCalls = async (tx: EntityManager, { enabled }: Beat): Promise<boolean> =>
  enabled && (await settingsOf(tx)).synthetics_enabled
