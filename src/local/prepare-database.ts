import type { Config } from '../config.ts'
import { isDatabaseAway } from '../persistence/failures.ts'
import { migrate } from '../persistence/migrate.ts'
import { serviceUrl } from '../persistence/service-user.ts'
import { sentenceOf } from '../runtime/error-sentences.ts'
import { encryptionKeys } from './encryption-keys.ts'
import { fillEmptyDatabase, prepareGreeting } from './first-start.ts'
import type { Greeting, OwnedDatabase, Prepared } from './prepare.ts'

export async function prepareDatabase(config: Config, database: OwnedDatabase): Promise<Prepared> {
  const { url, embedded, example, isOptional } = database
  const ENCRYPTION_KEYS = await encryptionKeys(config)
  try {
    await migrate(url)
    await fillEmptyDatabase({ ...config, DATABASE_URL: url, ENCRYPTION_KEYS }, { example })
  } catch (error) {
    if (!isOptional || !isDatabaseAway(error)) throw error
    return { settings: { DATABASE_URL: url, ENCRYPTION_KEYS }, problem: sentenceOf(error) }
  }
  return { settings: { DATABASE_URL: embedded ? await serviceUrl(url) : url, ENCRYPTION_KEYS } }
}

export const greeting = async (config: Config, url: string): Promise<Greeting> =>
  prepareGreeting({ ...config, DATABASE_URL: url, ENCRYPTION_KEYS: await encryptionKeys(config) })
