import { z } from 'zod'

export const deliveryStates = ['queued', 'sent', 'failed', 'retrying', 'suppressed', 'dead'] as const

export const DeliveryCounts = z
  .partialRecord(z.enum(deliveryStates), z.int())
  .describe('How many deliveries have each state')
