import { isDeepStrictEqual } from 'node:util'
import { type CrashPoint, crashPoints, stepPoints } from '../../src/domain/kernel/crash-points.ts'
import { setTestServers } from '../support/servers.ts'
import { startServers } from '../support/start-servers.ts'
import { crash, eachOnce, turns } from './crash.ts'
import { allReached, sendCrash } from './send-crash.ts'
import { openedOnce, writerCrash } from './writer-crash.ts'

/** Cases at once: most of a case is waiting. */
const WIDTH = 3

const RECIPIENTS = 10_000
const notPassed: CrashPoint[] = ['facts committed', 'entry written', 'items moved', 'turn taken']
/** The points that the process of a notification passes. */
const sendPoints = crashPoints.filter((point) => !notPassed.includes(point))

/** An API sends nothing, so it does not pass the points around a delivery. */
const writerPoints: CrashPoint[] = ['facts committed', ...stepPoints]

/** Every point of every turn; answers what went wrong. */
export async function crashEverywhere(say: (text: string) => void): Promise<string[]> {
  const { servers, stop } = await startServers()
  setTestServers(servers)
  const interrupted = () => void stop().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const cases = [
    ...turns.flatMap((turn) =>
      stepPoints.map((point) => ({
        name: `${turn}: ${point}`,
        wanted: eachOnce as unknown,
        run: (): Promise<unknown> => crash(point, turn),
      })),
    ),
    ...writerPoints.map((point) => ({
      name: `the step of a heartbeat's call, by the API: ${point}`,
      wanted: openedOnce as unknown,
      run: (): Promise<unknown> => writerCrash(point),
    })),
  ]
  cases.push({
    name: `one event to ${RECIPIENTS} webhooks, with a kill at each of ${sendPoints.length} points`,
    wanted: allReached(RECIPIENTS, sendPoints.length),
    run: () => sendCrash(sendPoints, RECIPIENTS),
  })
  const problems: string[] = []
  let next = 0
  const one = async () => {
    for (let mine = cases[next++]; mine; mine = cases[next++]) {
      const { name, wanted, run } = mine
      const found = await run().catch(String)
      const holds = isDeepStrictEqual(found, wanted)
      say(`${holds ? 'once ' : 'WRONG'}  ${name}`)
      if (!holds) problems.push(`${name}: ${JSON.stringify(found)}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: WIDTH }, one))
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await stop()
  }
  return problems
}
