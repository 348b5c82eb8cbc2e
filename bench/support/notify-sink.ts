import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** Takes webhooks and mails as fast as it can, and counts them. Asked, it answers what arrived since the last question. */
let webhooks = 0
let mails = 0
let last = 0

const http = createServer((request, response) => {
  request.resume().on('end', () => {
    webhooks += 1
    last = Date.now()
    response.writeHead(204).end()
  })
})
http.keepAliveTimeout = 60_000
const smtp = new SMTPServer({
  ...{ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], disableReverseLookup: true },
  onData(stream, _session, done) {
    stream.resume().on('end', () => {
      mails += 1
      last = Date.now()
      done()
    })
  },
})

process.on('message', ({ reset }: { reset?: boolean }) => {
  process.send?.({ webhooks, mails, last })
  if (reset) {
    webhooks = 0
    mails = 0
  }
})
http.listen(0, '127.0.0.1', () =>
  smtp.listen(0, '127.0.0.1', () => {
    const smtpPort = (smtp.server.address() as AddressInfo).port
    process.send?.({ ready: { port: (http.address() as AddressInfo).port, smtp_port: smtpPort } })
  }),
)
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
