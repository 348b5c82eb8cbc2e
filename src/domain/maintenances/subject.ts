import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { recordSubject } from '../kernel/subject.ts'
import { snapshotMaintenance } from './presenter.ts'

export const maintenanceSubject = recordSubject('maintenance', Maintenance, snapshotMaintenance, { external: true })
