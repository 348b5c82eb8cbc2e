import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { settingsOf } from '../../settings/stored.ts'

/** Calls are noted whether or not they mean anything: that they do only while the beat is on, and the page has its beats on. */
export const expectsCalls = async (tx: EntityManager, { enabled }: Beat): Promise<boolean> =>
  enabled && (await settingsOf(tx)).synthetics_enabled
