import { Incident } from '../../persistence/entities/incident.ts'
import { workflowIdOf } from '../kernel/processes.ts'
import { recordSubject } from '../kernel/subject.ts'
import { snapshotIncident } from './presenter.ts'

export const incidentSubject = recordSubject('incident', Incident, snapshotIncident, { external: true })

export const incidentProcess = (incident: { id: number }) => workflowIdOf('incident', incident.id)
