import type { z } from 'zod'
import type { IncidentResource } from '../../incidents/schema.ts'
import { inWords, named, plain, when } from './text.ts'

type Incident = z.output<typeof IncidentResource>

export function incidentLine(incident: Incident, zone: string): string {
  const { id, title, status, started_at, affected_items = [] } = incident
  const items =
    affected_items.length > 0 ? `, affects ${affected_items.map(({ name }) => plain(name, 80)).join(', ')}` : ''
  return `Incident ${named(title, id)}: ${inWords(status)} since ${when(started_at, zone)}${items}`
}

export const updateLine = ({ message, status, created_at }: NonNullable<Incident['updates']>[number], zone: string) =>
  `${when(created_at, zone)}, ${inWords(status)}: ${plain(message)}`
