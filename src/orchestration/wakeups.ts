import type { Services, Wakeups } from '../domain/kernel/services.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Temporal } from './client.ts'
import { startImmediateSteps, stepTaker } from './immediate-steps.ts'
import { startRelay } from './relay.ts'

/** The wake-ups of an API or worker process: takes the steps of woken processes itself; the relay signals Temporal for others. */
export const wakeupsFor =
  (temporal: Temporal) =>
  (services: Services, { relayFailures }: Metrics): Wakeups & { close(): Promise<void> } => {
    const { system, logger } = services
    const clock = () => new Date()
    const relay = startRelay({ system, temporal, logger, clock, onFailure: () => relayFailures.inc() })
    const steps = startImmediateSteps({ services, takeStep: stepTaker(services), signal: relay })
    return {
      wakeProcesses: steps.wakeProcesses,
      async close() {
        await steps.close()
        await relay.close()
      },
    }
  }
