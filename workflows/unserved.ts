import { TimeoutType } from '@temporalio/common'
import { ActivityFailure, TimeoutFailure } from '@temporalio/workflow'

/** Whether an activity failed because no worker started the activity. */
export function isUnserved(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  return cause instanceof TimeoutFailure && cause.timeoutType === TimeoutType.SCHEDULE_TO_START
}
