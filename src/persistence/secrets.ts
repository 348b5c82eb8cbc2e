import type { EntityManager } from '@mikro-orm/postgresql'
import type { Secret } from './entities/secret.ts'
import { run, sql } from './sql.ts'

type StoredSecret = Pick<Secret, 'page_id' | 'name' | 'key_id' | 'ciphertext'>

/** The encrypted secrets with these names. */
export const storedSecrets = (tx: EntityManager, names: string[]): Promise<StoredSecret[]> =>
  run<StoredSecret>(tx, sql`select page_id, name, key_id, ciphertext from secret where name = any(${names}::text[])`)
