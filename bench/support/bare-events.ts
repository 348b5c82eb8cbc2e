import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'

/** The reference of accepted events: parses the body, and one INSERT for each request, through as many connections as the API has. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.DATABASE_POOL) })
await pool.query(
  'create table if not exists bare_event (id bigserial primary key, received_at timestamptz not null, body text not null)',
)

const server = createServer(async (request, response) => {
  try {
    const body = await text(request)
    JSON.parse(body)
    const { rows } = await pool.query('insert into bare_event (received_at, body) values ($1, $2) returning id', [
      new Date(),
      body,
    ])
    response.writeHead(202, { 'Content-Type': 'application/json' }).end(JSON.stringify(rows[0]))
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
})
server.listen(0, '127.0.0.1', () => process.send?.({ ready: { port: (server.address() as AddressInfo).port } }))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
