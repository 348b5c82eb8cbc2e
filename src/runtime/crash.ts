import type { Crash } from '../domain/kernel/crash-points.ts'
import type { Services } from '../domain/kernel/services.ts'

/** Ends this process like kill -9 or a power cut: nothing is rolled back, notified or closed. */
export function crashAt({ point, from }: Crash): Services['reached'] {
  return (passed) => {
    if (passed === point && Date.now() >= from.getTime()) process.kill(process.pid, 'SIGKILL')
  }
}
