import { z } from 'zod'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import { MaintenanceUpdate } from '../../persistence/entities/maintenance-update.ts'
import { forgetMaintenanceVariants } from '../../persistence/translations.ts'
import { wakeSuppressed } from '../beats/stage/wake-suppressed.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import { operation } from '../kernel/operation.ts'
import { message, notifyInQuery, versionToDelete } from '../kernel/schema.ts'
import { named } from '../kernel/text-rules.ts'
import { withdrawNotifications } from '../notifications/withdraw.ts'
import { maintenanceSubject } from './subject.ts'

export const deleteMaintenance = operation({
  name: 'maintenances.delete',
  area: 'maintenance',
  permission: 'write',
  summary: 'Delete a maintenance with its timeline',
  description:
    'The audit keeps the deleted record. The external id can be used again. Cancel the maintenance instead to notify subscribers.',
  subject: maintenanceSubject,
  input: z.strictObject({ ...versionToDelete(), notify: notifyInQuery() }),
  output: message,
  run: async (ctx, { notify }, maintenance) => {
    const { tx, now, page } = ctx
    const { id, title, status } = maintenance
    await forgetMaintenanceVariants(tx, id)
    // The occurrence stays without a window, so that the series does not create the window again.
    await tx.nativeUpdate(MaintenanceOccurrence, { maintenance_id: id }, { maintenance_id: null })
    await tx.nativeDelete(MaintenanceItem, { maintenance_id: id })
    await tx.nativeDelete(MaintenanceUpdate, { maintenance_id: id })
    tx.remove(maintenance)
    await tx.flush()
    await withdrawNotifications(ctx, { kind: 'maintenance', id })
    const cause = { kind: 'maintenance', id }
    if (status === 'in_progress') {
      await recomputeStatuses(tx, { pageId: page.id, now, cause, notify })
      await wakeSuppressed(ctx, `the deletion of maintenance ${named(title, id)}`)
    }
    ctx.wake({ kind: 'maintenance', id }, `the deletion of maintenance ${named(title, id)}`)
    return { message: `The maintenance "${title}" is deleted.` }
  },
})
