import type { Services } from '../../src/domain/kernel/services.ts'
import { openSenders } from '../../src/domain/notifications/channels/index.ts'
import type { Sending } from './deliver.ts'
import { createSlots } from './slots.ts'

/** What the deliveries of a process share: slots, and connections to receivers. */
export interface OpenDeliveries extends Omit<Sending, 'signal'> {
  close(): Promise<void>
}

export function openDeliveries(services: Services): OpenDeliveries {
  const senders = openSenders(services)
  return {
    services,
    slots: createSlots(),
    senders,
    async close() {
      await Promise.all(Object.values(senders).map((sender) => sender.close()))
    },
  }
}
