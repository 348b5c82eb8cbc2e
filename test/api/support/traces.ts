import { AuditEvent } from '../../../src/persistence/entities/audit-event.ts'
import { NotificationEvent } from '../../../src/persistence/entities/notification-event.ts'
import { Wakeup } from '../../../src/persistence/entities/wakeup.ts'
import type { TestService } from '../../support/test-service.ts'

/** How much the changes so far have left behind, to see whether something was done twice. */
export async function tracesOf({ services }: TestService) {
  const em = services.system.em.fork()
  return {
    events: await em.count(NotificationEvent),
    audit: await em.count(AuditEvent),
    wakeups: await em.count(Wakeup),
  }
}
