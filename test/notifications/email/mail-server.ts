import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

interface ReceivedMail {
  raw: string
  parsed: ParsedMail
  to: string[]
  secure: boolean
  user: string | undefined
}

export interface MailServerForTests {
  port: number
  mails: ReceivedMail[]
  /** The number of connections that the server has accepted. */
  connections: number
  /** Of these, the ones that are open. */
  open: number
  close(): Promise<void>
}

/** Rejects a command with a reply, such as `451 4.7.1 Try again`. */
export const reply = (text: string): Error =>
  Object.assign(new Error(text.slice(4)), { responseCode: Number(text.slice(0, 3)) })

/** A real mail server on this machine, which keeps what it receives. */
export async function openMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServerForTests> {
  const state: MailServerForTests = { port: 0, mails: [], connections: 0, open: 0, close: async () => {} }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure || options.key ? [] : ['STARTTLS'],
    closeTimeout: 100,
    disableReverseLookup: true,
    onConnect(_session, done) {
      state.connections += 1
      state.open += 1
      done()
    },
    onClose() {
      state.open -= 1
    },
    onData(stream, session, done) {
      void (async () => {
        const raw = Buffer.concat(await stream.toArray()).toString('utf8')
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const { secure, user } = session
        state.mails.push({ raw, parsed: await simpleParser(raw), to, secure: Boolean(secure), user: user as never })
        done()
      })()
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  state.port = (server.server.address() as AddressInfo).port
  state.close = () => new Promise((resolve) => server.close(resolve))
  return state
}

/** A server that answers the given lines in turn, one to each line of the client, and then never again. */
export async function openSilentServer(lines: string[]): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    const left = [...lines]
    const answer = () => {
      const line = left.shift()
      if (line !== undefined) socket.write(`${line}\r\n`)
    }
    answer()
    socket.on('data', (data) => {
      for (const _line of data.toString().split('\r\n').slice(1)) answer()
    })
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
