import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Services } from '../../domain/kernel/services.ts'
import {
  type Asked,
  type Bounds,
  endWith,
  type FoundAnswer,
  findOrLease,
  type Lease,
} from '../../domain/pages/shared-answers.ts'
import { type Body, bodyOf } from './bodies.ts'
import { withPatience } from './patience.ts'

/** A computed answer. */
export interface Answer {
  body: Body
  headers: Record<string, string>
  /** The hash of the headers and the compared body. */
  content: string
  revision: string | undefined
  ageMs: number
}

interface Wanted extends Bounds {
  pageId: number
  key: string
}

/** Takes the answer of another process, or makes the answer and shares it. Without another process this is `make` alone. */
export type ShareRead = (wanted: Wanted, make: () => Promise<Answer>) => Promise<Answer>

/** What this process has to do: take an answer, make it for all, or make it for itself. */
type Turn = { answer: Answer } | Lease | 'alone'

interface Options extends Pick<Services, 'app' | 'logger' | 'inBackground'> {
  hasOthers: () => boolean
}

const PAUSE_MS = 30
/** How long a process waits for the answer of another one. */
const WAIT_MS = 800
/** Also the database may be slow. After a failure, this process makes its answers alone for a while. */
const PATIENCE_MS = 1000
const ALONE_MS = 5000
/** A longer body is not shared. */
const MOST_COMPRESSED_BYTES = 256 * 1024
const MOST_BYTES = 64 * 1024 * 1024

const decompress = promisify(brotliDecompress)

export function openSharedReads({ app, logger, inBackground, hasOthers }: Options): ShareRead {
  const processId = randomUUID()
  let aloneUntil = 0

  async function findTurn(asked: Asked, bounds: Bounds): Promise<Turn> {
    const waitsUntil = performance.now() + WAIT_MS
    while (performance.now() < waitsUntil) {
      const found = await findOrLease(app, asked, bounds)
      if (found === 'full') return 'alone'
      if (found) return 'lease' in found ? found : answerIn(found)
      await sleep(PAUSE_MS)
    }
    return 'alone'
  }

  const giveUp = (asked: Asked, lease: Lease) =>
    inBackground(endWith(app, asked, lease), 'could not end the lease of an answer')

  async function store(asked: Asked, lease: Lease, { body, headers, content, revision }: Answer): Promise<void> {
    if (revision === undefined) return endWith(app, asked, lease)
    const bytes = await body.in('br')
    const stored = bytes.length > MOST_COMPRESSED_BYTES ? null : bytes
    await endWith(app, asked, lease, { revision, headers, content, body: stored })
  }

  return async (wanted, make) => {
    if (!hasOthers() || performance.now() < aloneUntil) return make()
    const { pageId, key } = wanted
    const asked = { pageId, key, processId }
    const finding = findTurn(asked, wanted)
    const turn = await withPatience(finding, PATIENCE_MS).catch((error): Turn => {
      logger.debug({ err: error, page_id: pageId }, 'could not share an answer; this process makes its own')
      aloneUntil = performance.now() + ALONE_MS
      finding.then(
        (late) => typeof late === 'object' && 'lease' in late && giveUp(asked, late),
        () => {},
      )
      return 'alone'
    })
    if (turn === 'alone') return make()
    if ('answer' in turn) return turn.answer
    try {
      const answer = await make()
      // The reader does not wait for the storing.
      inBackground(store(asked, turn, answer), 'could not share an answer')
      return answer
    } catch (error) {
      giveUp(asked, turn)
      throw error
    }
  }
}

/** Fails for a row whose body is not compressed. */
async function answerIn({ body, age_ms, headers, content, revision }: FoundAnswer): Promise<Turn> {
  if (body === null) return 'alone'
  const plain = await decompress(body, { maxOutputLength: MOST_BYTES })
  return { answer: { body: bodyOf(plain, body), headers, content, revision, ageMs: age_ms } }
}
