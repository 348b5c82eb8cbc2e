import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { claimEvent } from '../../persistence/notifications.ts'
import { Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { firstScanAt } from '../kernel/processes.ts'
import { VersionRequest } from './schema.ts'
import { subscriberSubject as subject } from './subject.ts'

export const testSubscriber = operation({
  name: 'subscribers.test',
  area: 'audience',
  permission: 'admin',
  affectsPage: false,
  summary: 'Send a test message to a subscriber',
  description:
    'Sends a notification with the key `subscription.test` to this subscriber alone, whatever its subscriptions are. `GET /notifications/{notification_id}/deliveries` shows what the receiver answered. Only an active subscriber gets test messages.',
  subject,
  input: VersionRequest,
  output: z.strictObject({ message: z.string(), notification_id: z.int() }).meta({ id: 'SentTestMessage' }),
  run: async (ctx, _input, { id, state }) => {
    const { tx, now, pageId } = ctx
    if (state !== 'active') throw new Problem('conflict', `The subscriber ${id} is ${state}.`)
    const event = {
      page_id: pageId,
      key: 'subscription.test',
      // Each request sends a message of its own.
      natural_key: `subscriber:${id}:test:${randomUUID()}`,
      ...{ subject_kind: 'subscriber', subject_id: id, due_at: now, created_at: now },
      ...{ late: false, missed: 0, data: {}, withheld: null },
    }
    const { id: notificationId } = (await claimEvent(tx, event, firstScanAt(now)))!
    ctx.wake({ kind: 'notification', id: notificationId }, 'a test message')
    ctx.revised()
    return {
      message: `The notification ${notificationId} is sent to the subscriber ${id}.`,
      notification_id: notificationId,
    }
  },
})
