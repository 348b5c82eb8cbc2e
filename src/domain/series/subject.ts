import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { recordSubject } from '../kernel/subject.ts'
import { presentSeries } from './presenter.ts'

export const seriesSubject = recordSubject('series', MaintenanceSeries, presentSeries, { external: true })
