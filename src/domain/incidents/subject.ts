import { Incident } from '../../persistence/entities/incident.ts'
import { recordSubject } from '../kernel/subject.ts'
import { snapshotIncident } from './presenter.ts'

export const incidentSubject = recordSubject('incident', Incident, snapshotIncident, { external: true })
