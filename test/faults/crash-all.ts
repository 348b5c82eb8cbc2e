import { isDeepStrictEqual } from 'node:util'
import { crashPoints } from '../../src/domain/kernel/crash-points.ts'
import { startServers, tellTests } from '../support/servers.ts'
import { crash, eachOnce, turns } from './crash.ts'

/** Cases at once: most of a case is waiting. */
const WIDTH = 3

/** Every point of every turn; answers what went wrong. */
export async function crashEverywhere(say: (text: string) => void): Promise<string[]> {
  const { servers, stop } = await startServers()
  tellTests(servers)
  const interrupted = () => void stop().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const cases = turns.flatMap((turn) => crashPoints.map((point) => ({ turn, point })))
  const problems: string[] = []
  let next = 0
  const one = async () => {
    for (let mine = cases[next++]; mine; mine = cases[next++]) {
      const name = `${mine.turn}: ${mine.point}`
      const found = await crash(mine.point, mine.turn).catch(String)
      const holds = isDeepStrictEqual(found, eachOnce)
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
