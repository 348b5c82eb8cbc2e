import type { Metrics } from '../src/runtime/metrics.ts'

type Activity = (...args: never[]) => Promise<unknown>

/** Wraps activities, so that the duration and the outcome of each are measured under its name. */
export function measureActivities<T extends object>(activities: T, metrics: Metrics): T {
  const measured = Object.entries(activities as Record<string, Activity>).map(([name, run]) => [
    name,
    async (...args: never[]) => {
      const stop = metrics.activities.startTimer({ activity: name })
      try {
        const result = await run(...args)
        stop({ outcome: 'done' })
        return result
      } catch (error) {
        stop({ outcome: 'failed' })
        throw error
      }
    },
  ])
  return Object.fromEntries(measured) as T
}
