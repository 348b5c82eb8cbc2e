import type { Crash } from '../domain/kernel/crash-points.ts'
import type { Services } from '../domain/kernel/services.ts'

/** Ends this process as a kill -9 or a power cut would: nothing is rolled back, told or closed. */
export function crashAt({ point, from }: Crash): Services['reached'] {
  return (passed) => {
    if (passed === point && Date.now() >= from.getTime()) process.kill(process.pid, 'SIGKILL')
  }
}
