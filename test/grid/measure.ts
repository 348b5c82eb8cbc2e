import { setTimeout as sleep } from 'node:timers/promises'
import { dueOf, type Grid, gridOf, slotAt } from '../../activities/lease/grid-rules.ts'
import { startAssigner } from '../../src/orchestration/shards.ts'
import { openTestProcesses, quietRuntime } from '../support/processes.ts'
import { insertBeats, openTarget } from '../support/shards.ts'

export interface GridFigures {
  arrivals: number
  /** By how many milliseconds the distance of two slots is off, at the beat where that is most. */
  worstSlopeMs: number
  /** The same by the median of the slopes between any two arrivals: some that are late do not move it. */
  worstMedianSlopeMs: number
  latenessP50: number
  latenessP99: number
  /** The slots between the first and the last result of a beat without a request. */
  missed: number
}

const INTERVALS = [1, 2]
/** What a check takes, as a part of its interval. */
const SHARES = [0, 0.1, 0.2, 0.4, 0.6, 0.8]
const EACH = 4
/** Leases begin, and what runs for the first time is compiled. */
const WARM_UP_MS = 5000

interface GridBeat {
  id: number
  /** What the target is asked for. */
  path: string
  grid: Grid
}

/** A worker that checks targets which take their time: so many beats for each interval and share. */
export async function openGrid(each: number) {
  quietRuntime()
  const processes = await openTestProcesses()
  const target = await openTarget()
  target.answer.delayMs = (path) => Number(path.split('/')[1])
  const { services, page } = processes.service
  const assigner = startAssigner({ ...services, temporal: processes.temporal, slots: 100 })
  async function close(): Promise<void> {
    await assigner.close()
    await processes.close()
    target.close()
  }
  try {
    const beats: GridBeat[] = []
    for (const interval of INTERVALS) {
      for (const share of SHARES) {
        const takes = Math.round(interval * 1000 * share)
        const fields = { interval_seconds: interval, timeout_ms: 30_000 }
        const url = `jsonb_build_object('url', '${target.url}/${takes}/${interval}/' || n)`
        const ids = await insertBeats(services, page.id, each, { target: url, ...fields })
        for (const [index, id] of ids.entries()) {
          const path = `/${takes}/${interval}/${index + 1}`
          beats.push({ id, path, grid: gridOf(id, 'local', interval * 1000) })
        }
      }
    }
    await processes.startWorker()
    return { processes, target, beats, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Looks for so long at when the checks arrive. */
export async function measureGrid(seconds: number): Promise<GridFigures> {
  const { beats, target, close } = await openGrid(EACH)
  try {
    const from = Date.now() + WARM_UP_MS
    await sleep(seconds * 1000 + WARM_UP_MS)
    const arrivals = Map.groupBy(
      target.asked.filter(({ at }) => at >= from),
      ({ path }) => path,
    )
    return figuresOf(beats.map(({ path, grid }) => ({ grid, at: arrivals.get(path)?.map((one) => one.at) ?? [] })))
  } finally {
    await close()
  }
}

function figuresOf(beats: { grid: Grid; at: number[] }[]): GridFigures {
  const late: number[] = []
  let [worst, worstMedian, missed, count] = [0, 0, 0, 0]
  for (const { grid, at } of beats) {
    const points = at.map((moment) => ({ slot: slotAt(grid, moment), at: moment }))
    if (points.length < 2) throw new Error('a beat was hardly checked at all')
    late.push(...points.map((one) => one.at - dueOf(grid, one.slot)))
    worst = Math.max(worst, Math.abs(slopeOf(points) - grid.interval))
    worstMedian = Math.max(worstMedian, Math.abs(medianSlopeOf(points) - grid.interval))
    missed += points.at(-1)!.slot - points[0]!.slot + 1 - points.length
    count += points.length
  }
  return {
    ...{ arrivals: count, worstSlopeMs: worst, worstMedianSlopeMs: worstMedian, missed },
    ...{ latenessP50: percentile(late, 0.5), latenessP99: percentile(late, 0.99) },
  }
}

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!

interface Point {
  slot: number
  at: number
}

const medianSlopeOf = (points: Point[]) =>
  percentile(
    points.flatMap((one, index) => points.slice(index + 1).map((two) => (two.at - one.at) / (two.slot - one.slot))),
    0.5,
  )

/** The slope of the straight line that fits best. */
function slopeOf(points: Point[]): number {
  const [first] = points
  const xs = points.map(({ slot }) => slot - first!.slot)
  const ys = points.map(({ at }) => at - first!.at)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x0, y0] = [mean(xs), mean(ys)]
  const top = xs.reduce((sum, x, index) => sum + (x - x0) * (ys[index]! - y0), 0)
  return top / xs.reduce((sum, x) => sum + (x - x0) ** 2, 0)
}
