import { Secret } from '../entities/secret.ts'
import type { Orm } from '../orm.ts'
import { inSystemTransaction } from '../transactions.ts'

/** Encrypts, in small batches, every secret under another key with the current key. */
export async function reencryptSecrets(
  system: Orm,
  currentKeyId: string,
  reencrypt: (secret: Secret) => { key_id: string; ciphertext: string },
): Promise<number> {
  let done = 0
  for (;;) {
    const count = await inSystemTransaction(system, async (em) => {
      const batch = await em.find(Secret, { key_id: { $ne: currentKeyId } }, { limit: 100, orderBy: { id: 'asc' } })
      for (const secret of batch) Object.assign(secret, reencrypt(secret))
      return batch.length
    })
    if (count === 0) return done
    done += count
  }
}
