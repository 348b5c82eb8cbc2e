import { publicKeys } from '../../persistence/notification-keys.ts'

/** Whether readers of the page see what the event is about. A reminder is public before the start of its window only. */
export function isPublicEvent({ key, data }: { key: string; data: Record<string, unknown> }): boolean {
  if (key === 'maintenance.reminder') return data.reminder === 'before_start'
  return (publicKeys as readonly string[]).includes(key)
}
