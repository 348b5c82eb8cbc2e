import { z } from 'zod'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import { MaintenanceSeriesItem } from '../../persistence/entities/maintenance-series-item.ts'
import { operation } from '../kernel/operation.ts'
import { message, versionToDelete } from '../kernel/schema.ts'
import { named } from '../kernel/text-rules.ts'
import { forgetTranslations } from '../translations/write.ts'
import { cancelQuietly, futureWindows, isFixed } from './apply-to-windows.ts'
import { seriesSubject } from './subject.ts'

export const deleteSeries = operation({
  name: 'series.delete',
  area: 'maintenance',
  permission: 'write',
  summary: 'Delete a series',
  description:
    'The future windows are cancelled without a notification, except edited windows. All windows stay, as maintenances without a series. End the series instead to notify subscribers.',
  subject: seriesSubject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, series) => {
    const { tx } = ctx
    const { id, title } = series
    const work = ctx
    for (const one of await futureWindows(work, series)) {
      if (!isFixed(one)) await cancelQuietly(work, series, one.window!, { change: 'deletion', notify: true })
    }
    await tx.nativeDelete(MaintenanceOccurrence, { series_id: id })
    await tx.nativeUpdate(Maintenance, { series_id: id }, { series_id: null })
    await tx.nativeDelete(MaintenanceSeriesItem, { series_id: id })
    await forgetTranslations(ctx, ['maintenance_series', id])
    tx.remove(series)
    ctx.wake({ kind: 'series', id }, `the deletion of series ${named(title, id)}`)
    return { message: `The series "${title}" is deleted.` }
  },
})
