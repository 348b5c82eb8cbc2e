import type { Message, Rendered } from '../channel.ts'
import { composeMail } from './compose-rules.ts'
import { type Envelope, envelopeOf, shownHeaders } from './header-rules.ts'
import { htmlOf } from './html-rules.ts'
import type { Mail } from './mail.ts'
import type { Bounds } from './part-rules.ts'
import { textOf } from './text-rules.ts'
import { headerTextOf } from './words-rules.ts'

/** The bytes of HTML and text together. The encoding of the mail adds up to 37 %, and a mail has less than 100 kB. */
const MOST_BYTES = 68_000

/** Tried in turn until the mail is small enough. */
const allBounds: [Bounds, ...Bounds[]] = [
  { prose: 8000, line: 200, items: 50, parts: 50 },
  { prose: 2000, line: 200, items: 20, parts: 50 },
  { prose: 300, line: 100, items: 5, parts: 40 },
  { prose: 60, line: 50, items: 2, parts: 15, plain: true },
]

export interface Written {
  envelope: Envelope
  subject: string
  text: string
  html: string
}

export function writeMail(message: Message): Written {
  let written: { mail: Mail; text: string; html: string } | undefined
  for (const bounds of allBounds) {
    const mail = composeMail(message, bounds)
    written = { mail, text: textOf(mail), html: htmlOf(mail) }
    if (Buffer.byteLength(written.text) + Buffer.byteLength(written.html) <= MOST_BYTES) break
  }
  const { mail, text, html } = written!
  return { envelope: envelopeOf(message, mail.brand.title), subject: headerTextOf(mail.subject), text, html }
}

export function render(message: Message): Rendered {
  const { envelope, subject, text, html } = writeMail(message)
  return { subject, text, html, headers: shownHeaders(envelope) }
}
