import { Cron } from 'croner'

/** The problem of a cron expression, as a message for its author; null for a valid expression. */
export function cronProblem(expression: string): string | null {
  // The library also reads seconds, years and single dates; a cron table has five fields.
  if (!expression.startsWith('@') && expression.split(/\s+/).length !== 5)
    return 'must have five fields or be a name such as @daily'
  try {
    return new Cron(expression, { timezone: 'UTC' }).nextRun() ? null : 'has no moment in the future'
  } catch (error) {
    return `is not a cron expression (${(error as Error).message})`
  }
}

/** The first moment of a cron expression after this one. */
export function nextOfCron(expression: string, timezone: string, after: Date): Date | null {
  return new Cron(expression, { timezone }).nextRun(after)
}
