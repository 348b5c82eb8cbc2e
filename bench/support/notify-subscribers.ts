import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { openKeyring } from '../../src/domain/kernel/keyring.ts'
import { sealOf } from '../../src/domain/kernel/secrets.ts'

interface Subscribers {
  count: number
  /** With `#` for the number. */
  address: string
  /** The only kind of event that they asked for. */
  kind: string
}

export async function insertSubscribers(database: pg.Client, channel: string, { count, address, kind }: Subscribers) {
  const { rows } = await database.query<{ id: number; page_id: number }>(
    `with made as (insert into subscriber (page_id, channel, address, shown_address, state, frequency, source, bounce_count,
        confirmation_number, version, created_at, updated_at)
      select (select max(id) from page), $1, replace($2, '#', n::text), replace($2, '#', n::text), 'active', 'immediate', 'admin',
        0, 0, 1, now(), now()
      from generate_series(1, $3::int) n returning id, page_id),
    wanted as (insert into subscription (page_id, subscriber_id, scope_kind, items, event_kinds, internal, enabled, created_at, updated_at)
      select page_id, id, 'page', '[]', jsonb_build_array($4::text), false, true, now(), now() from made)
    select id, page_id from made`,
    [channel, address, count, kind],
  )
  return rows
}

export async function insertWebhooks(database: pg.Client, keys: string, subscribers: Subscribers): Promise<void> {
  const rows = await insertSubscribers(database, 'webhook', subscribers)
  const ring = openKeyring(keys)
  const secrets = rows.map(({ id, page_id }) => {
    const name = `subscriber ${id}`
    const plain = `whsec_${randomBytes(24).toString('base64')}`
    return { page_id, name, ...ring.encrypt(plain, sealOf({ page_id, name })) }
  })
  await database.query(
    `insert into secret (page_id, name, key_id, ciphertext, updated_at)
      select page_id, name, key_id, ciphertext, now() from jsonb_to_recordset($1::jsonb)
        as s(page_id int, name text, key_id text, ciphertext text)`,
    [JSON.stringify(secrets)],
  )
  await database.query('analyze')
}
