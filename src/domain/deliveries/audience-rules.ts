import { publicKeys, transactionalKeys } from '../../persistence/notification-keys.ts'

/** Whether readers of the page see what the event is about. A reminder is public before the start of its window only. */
export function isPublicEvent({ key, data }: { key: string; data: Record<string, unknown> }): boolean {
  if (key === 'maintenance.reminder') return data.reminder === 'before_start'
  return (publicKeys as readonly string[]).includes(key)
}

/** Whether the event is sent to the subscriber that it is about, and to no one else. */
export const isTransactional = (key: string): boolean => (transactionalKeys as readonly string[]).includes(key)
