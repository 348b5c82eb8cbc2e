/** Mildest first. */
export const stages = ['healthy', 'warning', 'critical'] as const
export type Stage = (typeof stages)[number]
