import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import pg from 'pg'

/**
 * What creation is measured against: no framework, no checks, no retries, one INSERT for each request, through as many
 * connections as the API has.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.DATABASE_POOL) })
await pool.query(`create table if not exists bare_incident (id serial primary key, title text not null,
  description text not null, external_id text not null, created_at timestamptz not null default now())`)

const server = createServer(async (request, response) => {
  try {
    const { title, description, external_id } = (await json(request)) as Record<string, string>
    const { rows } = await pool.query(
      'insert into bare_incident (title, description, external_id) values ($1, $2, $3) returning id',
      [title, description, external_id],
    )
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(rows[0]))
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
})
server.listen(0, '127.0.0.1', () => process.send?.({ ready: { port: (server.address() as AddressInfo).port } }))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
