/** The sections of the front page in their default order. */
export const SECTIONS = [
  'status',
  'current_activity',
  'components',
  'metrics',
  'upcoming_maintenance',
  'past_incidents',
] as const
export type Section = (typeof SECTIONS)[number]
