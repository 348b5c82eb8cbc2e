import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Connection } from '@temporalio/client'
import { InternalConnectionOptionsSymbol } from '@temporalio/client/lib/connection.js'
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js'
import { freePorts } from '../../src/local/embedded/ports.ts'
import { testServers } from './servers.ts'
import { until } from './wait.ts'

/** A Temporal that skips the time in which nothing happens. */
export interface TimeSkipping {
  address: string
  /** The moment to which it has come. */
  now(): Promise<Date>
  /** Resolves when so much of its time has passed. */
  skip(duration: Parameters<typeof msToTs>[0]): Promise<void>
  close(): Promise<void>
}

/** This server takes a ping each half minute for an attack, and ends the connection: no client may ping it. */
export const noPings = { 'grpc.keepalive_time_ms': undefined, 'grpc.keepalive_permit_without_calls': undefined }

const channelArgs = {
  ...noPings,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 100,
}

/** A server that does not skip lets the time pass at its real speed. */
const LONGEST_SKIP_MS = 5 * 60_000

/** Started here, because the SDK gives the server five seconds, and a slow machine needs more for its Java. */
export async function startTimeSkipping(): Promise<TimeSkipping> {
  const [port] = await freePorts([undefined])
  const address = `127.0.0.1:${port}`
  const server = spawn(testServers().timeSkippingServer, [String(port)], { stdio: 'ignore' })
  const ended = once(server, 'exit')
  const end = () => server.kill('SIGKILL')
  process.once('exit', end)
  const options = {
    address,
    channelArgs,
    // A call to let time pass that were sent again, as the client does by itself, would let the time pass twice.
    interceptors: [],
    [InternalConnectionOptionsSymbol]: { supportsTestService: true },
  }
  const connection = Connection.lazy(options)
  const testService = connection.testService!
  // Without a deadline, a server that hangs, or whatever else listens on this port, could hold up the call for ever.
  const within = <T>(ms: number, call: () => Promise<T>) => connection.withDeadline(Date.now() + ms, call)
  const now = async (patienceMs = 60_000) =>
    new Date(tsToMs((await within(patienceMs, () => testService.getCurrentTime({}))).time))
  async function close(): Promise<void> {
    process.off('exit', end)
    await connection.close()
    end()
    await ended
  }
  try {
    const seen = await until(
      () =>
        now(5000).then(
          () => 'it answers',
          (error: Error) => (server.exitCode === null ? error.message : 'it ended'),
        ),
      (answer) => answer.startsWith('it '),
    )
    if (seen !== 'it answers')
      throw new Error(`The time-skipping server did not start: ${seen} with ${server.exitCode}`)
  } catch (error) {
    await close()
    throw error
  }
  return {
    address,
    now: () => now(),
    async skip(duration) {
      await within(LONGEST_SKIP_MS, () => testService.unlockTimeSkippingWithSleep({ duration: msToTs(duration) }))
    },
    close,
  }
}
