import type { Content } from '../../persistence/entities/notification-event.ts'

/** The ids of the items whose subscribers get a notification. Pure: no clock, no database. */
export const reachedIn = ({ reached, items }: Content): number[] => reached ?? items.map(({ id }) => id)
