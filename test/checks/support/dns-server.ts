import { createSocket } from 'node:dgram'

type Record = { type: keyof typeof types; data: Buffer | string; unasked?: true }
/** The answer for a name: records (an alias and `unasked` records to every query), a refusal, or no answer. */
export type Zone = { [name: string]: Record[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silence' }

const types = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, CAA: 257 } as const
const refusals = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/** A name server over UDP. The zone may be changed while it runs. */
export async function dnsServer(zone: Zone) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, from) => {
    const { name, type, end } = read(question)
    asked.push(name)
    const known = zone[name] ?? 'NXDOMAIN'
    if (known === 'silence') return
    const answers = (record: Record) => types[record.type] === type || record.type === 'CNAME' || record.unasked
    const records = typeof known === 'string' ? [] : known.filter(answers)
    const header = Buffer.alloc(12)
    question.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (typeof known === 'string' ? refusals[known] : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records.map(written)]), from.port, from.address)
  })
  await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready))
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() }
}

function read(question: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.subarray(at + 1, at + 1 + length).toString())
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 }
}

function written({ type, data }: Record): Buffer {
  const bytes = typeof data === 'string' ? wire(type, data) : data
  const head = Buffer.from([0xc0, 12, types[type] >> 8, types[type] & 255, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

function wire(type: Record['type'], text: string): Buffer {
  const [first = '', second = '', third = '', fourth = ''] = text.split(' ')
  const short = (number: string) => Buffer.from([Number(number) >> 8, Number(number) & 255])
  switch (type) {
    case 'A':
      return Buffer.from(text.split('.').map(Number))
    case 'TXT':
      return sized(text)
    case 'MX':
      return Buffer.concat([short(first), nameOf(second)])
    case 'SRV':
      return Buffer.concat([short(first), short(second), short(third), nameOf(fourth)])
    case 'CAA':
      return Buffer.concat([Buffer.from([Number(first)]), sized(second), Buffer.from(third)])
    default:
      return nameOf(text)
  }
}

const sized = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
const nameOf = (name: string) => Buffer.concat([...name.split('.').map(sized), Buffer.from([0])])
