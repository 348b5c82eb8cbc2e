import type { Config } from '../config.ts'
import { migrate } from '../persistence/migrate.ts'
import { serviceUrl } from '../persistence/service-user.ts'
import { encryptionKeys } from './encryption-keys.ts'
import { fillEmptyDatabase, firstToken } from './first-start.ts'
import type { OwnedDatabase, Prepared } from './prepare.ts'

export async function prepareDatabase(config: Config, { url, embedded, example }: OwnedDatabase): Promise<Prepared> {
  const ENCRYPTION_KEYS = await encryptionKeys(config)
  await migrate(url)
  await fillEmptyDatabase({ ...config, DATABASE_URL: url, ENCRYPTION_KEYS }, { example })
  return { DATABASE_URL: embedded ? await serviceUrl(url) : url, ENCRYPTION_KEYS }
}

export const issueFirstToken = async (config: Config, url: string): Promise<string | undefined> =>
  firstToken({ ...config, DATABASE_URL: url, ENCRYPTION_KEYS: await encryptionKeys(config) })
