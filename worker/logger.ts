import { DefaultLogger, type Logger as TemporalLogger } from '@temporalio/worker'
import type { Logger } from 'pino'

const methods = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const

/** Writes the messages of Temporal to the log of the service, with the workflow id. */
export function temporalLogger(logger: Logger): TemporalLogger {
  return new DefaultLogger('INFO', ({ level, message, meta }) => {
    const { workflowId, error, ...rest } = meta ?? {}
    // The workers of regions intentionally register no workflows.
    if (message.startsWith('No workflows registered')) return
    logger[methods[level]]({ workflow_id: workflowId, err: error, ...rest }, message)
  })
}
