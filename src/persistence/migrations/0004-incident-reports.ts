import { Migration } from '@mikro-orm/migrations'
import { build, walls, within } from './wall.ts'

const table = [
  `create table incident_report (
    id serial primary key,
    page_id int not null,
    incident_id int not null,
    title text not null,
    body text not null,
    published_at timestamptz(3) null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'alter table incident_report add constraint incident_report_incident_key unique (page_id, incident_id)',
  within('incident_report', 'incident_id', 'incident'),
]

export class IncidentReports extends Migration {
  override up(): void {
    build(this, [...table, ...walls('incident_report')])
  }
}
