import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { makeKey, openKeyring } from '../domain/kernel/keyring.ts'
import { makeDirectory } from './embedded/directories.ts'

type Where = Pick<Config, 'DATA_DIR' | 'ENCRYPTION_KEYS'>

/** The file with the keys that the first start creates. */
export const keysFile = (config: Where) => join(config.DATA_DIR, 'encryption-keys')

/** The keys of this installation: from the environment, or from a file that the first start creates. */
export async function encryptionKeys(config: Where): Promise<string> {
  if (config.ENCRYPTION_KEYS) return checked(config.ENCRYPTION_KEYS)
  const stored = await readFile(keysFile(config), 'utf8').catch(() => undefined)
  if (stored) return stored.trim()
  const key = makeKey()
  await store(config, key)
  return key
}

/** Adds a new key in front. The old keys stay: a running process may still write with them. */
export async function addEncryptionKey(config: Where): Promise<string> {
  const keys = `${makeKey()},${await encryptionKeys(config)}`
  await store(config, keys)
  return keys
}

/** Reports an invalid key now and not at the first secret. */
function checked(keys: string): string {
  try {
    openKeyring(keys)
    return keys
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

async function store(config: Where, keys: string): Promise<void> {
  makeDirectory(config.DATA_DIR)
  const scratch = `${keysFile(config)}.${process.pid}`
  await writeFile(scratch, `${keys}\n`, { mode: 0o600 })
  await rename(scratch, keysFile(config))
}
