import { Attempt, type Reach } from '../../../../outbound/connections/attempt.ts'
import { CheckImpossible, Failure, failureOf } from '../../../../outbound/connections/failure.ts'
import type { Trust } from '../../../../outbound/connections/secure.ts'
import type { Content } from '../../../../persistence/entities/notification-event.ts'
import { forbiddenUrl } from '../../forbidden-url.ts'
import type { Message, Outcome, Sender, SenderServices } from '../channel.ts'
import { type Connections, openConnections } from './connections.ts'
import { exchange } from './exchange.ts'
import { answerLine, outcomeOf } from './outcome-rules.ts'
import { bodyOf, fixedHeaders } from './render-rules.ts'
import { signedHeaders } from './signature-rules.ts'

/** For tests: authorities and names that this machine does not know, and a shorter patience. */
export interface SenderOptions {
  trust?: Trust
  look_up?: Reach['look_up']
  timeout_ms?: number
  idle_ms?: number
}

const TIMEOUT_MS = 15_000

export function openSender(services: SenderServices, options: SenderOptions = {}): Sender {
  const { trust = {}, look_up, timeout_ms = TIMEOUT_MS, idle_ms } = options
  const connections = openConnections(idle_ms)
  const reach: Reach = {
    ...{ timeout_ms, guard: services.beatTargets, own_ports: services.ownPorts, now: services.clock },
    ...(look_up ? { look_up } : {}),
  }
  const running = new Set<Running>()
  const bodies = new WeakMap<Content, string>()

  async function deliver(message: Message, url: URL): Promise<Outcome> {
    const { recipient } = message
    const body = knownBody(message, bodies)
    const signed = signedHeaders(message.id, services.clock(), body, recipient.secrets)
    const question = { url, body, trust, headers: { ...fixedHeaders, ...signed } }
    return outcomeOf(await answerWithin(question, reach, connections, running), recipient, services.clock())
  }

  return {
    async send(message) {
      const { recipient } = message
      if (recipient.secrets.length === 0) return { result: 'withheld', reason: 'no_secret', answer: '' }
      const url = URL.parse(recipient.address)
      const forbidden = forbiddenUrl(recipient.address, services, url)
      if (forbidden || !url) return { result: 'refused', answer: `The URL may not be reached: ${forbidden}` }
      try {
        return await deliver(message, url)
      } catch (problem) {
        if (!(problem instanceof Failure || problem instanceof CheckImpossible)) throw problem
        return { result: 'later', answer: answerLine(problem.message, recipient) }
      }
    },
    async close() {
      for (const { end } of running) end?.()
      connections.close()
    },
  }
}

/** All recipients of a notification get the same body, which is written once. */
function knownBody(message: Message, bodies: WeakMap<Content, string>): string {
  const { content } = message.notifications[0]!
  const body = bodies.get(content) ?? bodyOf(message)
  bodies.set(content, body)
  return body
}

/**
 * An attempt that runs. A set that grows and shrinks leaves old tables with their former entries behind until the next full
 * collection, so an entry lets go of its attempt: else half of all requests became old objects.
 */
interface Running {
  end: (() => void) | undefined
}

/** The answer, or a failure in words. A connection that was opened for a failed attempt is closed. */
async function answerWithin(
  question: Parameters<typeof exchange>[0],
  reach: Reach,
  connections: Connections,
  running: Set<Running>,
) {
  const attempt = new Attempt(reach)
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Failure(attempt.timeoutEvidence())), reach.timeout_ms)
  const entry: Running = { end: () => reject(new Failure('The service ended before the receiver answered')) }
  running.add(entry)
  try {
    return await Promise.race([exchange(question, attempt, connections), ended])
  } catch (problem) {
    attempt.end()
    throw failureOf(problem, attempt)
  } finally {
    clearTimeout(timer)
    running.delete(entry)
    entry.end = undefined
  }
}
