import { DefaultLogger, type Logger as TemporalLogger } from '@temporalio/worker'
import type { Logger } from 'pino'

const words = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const

/** What Temporal says goes where everything else goes, with the workflow it is about. */
export function temporalLogger(logger: Logger): TemporalLogger {
  return new DefaultLogger('INFO', ({ level, message, meta }) => {
    const { workflowId, error, ...rest } = meta ?? {}
    // The workers of regions have none, and that is how it should be.
    if (message.startsWith('No workflows registered')) return
    logger[words[level]]({ workflow_id: workflowId, err: error, ...rest }, message)
  })
}
