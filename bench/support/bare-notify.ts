import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import nodemailer from 'nodemailer'
import type { Message } from '../../src/domain/notifications/channels/channel.ts'
import { email } from '../../src/domain/notifications/channels/email/index.ts'
import { webhook } from '../../src/domain/notifications/channels/webhook/index.ts'

/**
 * What sending is measured against: a loop that renders each message, signs it, and sends it over kept connections, as many at
 * once as a channel of a page. No database, no guard, no outcomes.
 */
const AT_ONCE = 22

interface Task {
  channel: 'email' | 'webhook'
  count: number
  port: number
  message: Message
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

function post(port: number, message: Message): Promise<void> {
  const body = JSON.stringify(webhook.render(message).body)
  const timestamp = Math.floor(Date.now() / 1000)
  const key = Buffer.from(message.recipient.secrets[0]!.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${message.id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'webhook-id': message.id },
    ...{ 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
  }
  return new Promise((resolve, reject) => {
    request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/${message.id}`,
      agent,
      headers,
    })
      .on('response', (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end(body)
  })
}

async function run({ channel, count, port, message }: Task): Promise<number> {
  const pool = { pool: true as const, host: '127.0.0.1', port, maxConnections: AT_ONCE, ignoreTLS: true }
  const mailer = channel === 'email' ? nodemailer.createTransport(pool) : undefined
  const send = async (one: Message) => {
    if (!mailer) return post(port, one)
    const { subject = '', text = '', html = '', headers = {} } = email.render(one)
    await mailer.sendMail({ from: 'status@example.com', to: one.recipient.address, subject, text, html, headers })
  }
  let next = 0
  const started = performance.now()
  const loop = async () => {
    for (let index = next++; index < count; index = next++) {
      const address = message.recipient.address.replace('#', String(index))
      await send({ ...message, id: `msg_${index}`, recipient: { ...message.recipient, address } })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, loop))
  const seconds = (performance.now() - started) / 1000
  mailer?.close()
  return count / seconds
}

/** A message between processes has texts for dates. */
function withDates({ notifications, ...message }: Message): Message {
  const dated = notifications.map(({ event, content }) => ({
    content,
    event: { ...event, due_at: new Date(event.due_at), created_at: new Date(event.created_at) },
  }))
  return { ...message, notifications: dated }
}

process.on('message', async (task: Task) =>
  process.send?.({ rate: await run({ ...task, message: withDates(task.message) }) }),
)
process.send?.({ ready: {} })
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
