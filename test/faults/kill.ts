import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, type Part, parts } from './bench.ts'
import type { Random } from './random.ts'

/** Kills the parts of the service in turn, evenly over the progress of the work; returns once all of them are back. */
export async function kill(
  bench: Bench,
  random: Random,
  kills: number,
  progress: () => number,
  say: (text: string) => void,
) {
  const back: Promise<void>[] = []
  for (let done = 0; done < kills; done += 1) {
    while (progress() < (done + 0.5) / kills) await sleep(20)
    const part: Part = parts[done % parts.length]!
    say(`kill ${done + 1}: ${part}`)
    back.push(bench.kill(part, random.between(0, 2000)))
  }
  await Promise.all(back)
}
