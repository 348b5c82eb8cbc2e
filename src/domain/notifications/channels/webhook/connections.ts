import { Agent, type AgentOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** How a request opens a connection of its own, where none is kept. */
export interface Opening {
  open: () => Promise<Socket>
}

/** Node's pool of connections, whose connections are opened behind the guard. */
class GuardedAgent extends Agent {
  override createConnection(options: unknown, done?: (problem: Error | null, socket: Duplex) => void): undefined {
    const { open } = options as Opening
    open().then(
      (socket) => done?.(null, socket),
      (problem: Error) => done?.(problem, undefined as unknown as Duplex),
    )
  }
}

const IDLE_MS = 30_000
/** Kept for each origin: one service may receive for many subscribers, and so many messages are sent at once. */
const MOST_IDLE = 22

export interface Connections {
  /** The kept connections of a scheme. */
  kept(secure: boolean): Agent
  /** Connections for one request each. */
  fresh: Agent
  close(): void
}

/** Connections to receivers. Plain and secure connections to the same port are kept apart. */
export function openConnections(idle_ms = IDLE_MS): Connections {
  const options: AgentOptions = { keepAlive: true, maxFreeSockets: MOST_IDLE, timeout: idle_ms }
  const [plain, secure, fresh] = [new GuardedAgent(options), new GuardedAgent(options), new GuardedAgent()]
  return {
    kept: (isSecure) => (isSecure ? secure : plain),
    fresh,
    close() {
      for (const agent of [plain, secure, fresh]) agent.destroy()
    },
  }
}
