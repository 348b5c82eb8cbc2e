/** The Statuspage API in the OpenAPI document. Its answers are written for clients of another service. */

type Json = Record<string, unknown>

const text = (example: string) => ({ type: 'string', example })
const id = text('17')
const time = { type: 'string', format: 'date-time', description: 'With the offset of the time zone of the page' }
const noTime = { type: ['string', 'null'], format: 'date-time' }
const oneOf = (...values: string[]) => ({ type: 'string', enum: values })
const list = (items: Json) => ({ type: 'array', items })
const object = (properties: Record<string, Json>, optional: string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

const componentStatus = oneOf(
  ...['operational', 'under_maintenance', 'degraded_performance', 'partial_outage', 'major_outage'],
)
const impact = oneOf('none', 'minor', 'major', 'critical', 'maintenance')

const page = object({
  ...{ id: text('1'), name: text('Example'), url: text('https://status.example.com') },
  ...{ time_zone: text('Europe/Berlin'), updated_at: time },
})
const component = object(
  {
    ...{
      id,
      name: text('Search'),
      status: componentStatus,
      description: text('Finds products'),
      created_at: time,
      updated_at: time,
    },
    ...{ position: { type: 'integer' }, showcase: { type: 'boolean' }, start_date: { type: 'string', format: 'date' } },
    ...{
      group_id: { type: ['string', 'null'], example: '12' },
      page_id: text('1'),
      group: { type: 'boolean' },
      components: list(id),
    },
    only_show_if_degraded: { type: 'boolean' },
  },
  ['description', 'components'],
)
const affected = object({ code: id, name: text('Search'), old_status: componentStatus, new_status: componentStatus })
const entry = object({
  ...{ id: text('42'), status: text('monitoring'), body: text('A fix is in place and we watch it.'), incident_id: id },
  ...{ created_at: time, updated_at: time, display_at: time },
  ...{ affected_components: list(affected), deliver_notifications: { type: 'boolean' } },
})
const common = {
  ...{ id, name: text('Search is slow'), impact, page_id: text('1') },
  ...{ shortlink: text('https://status.example.com/incidents/17'), incident_updates: list(entry) },
  ...{ created_at: time, updated_at: time, started_at: time, resolved_at: noTime, components: list(component) },
}
const incident = object(
  {
    ...common,
    status: oneOf('investigating', 'identified', 'monitoring', 'resolved', 'postmortem'),
    monitoring_at: time,
  },
  ['monitoring_at'],
)
const maintenance = object(
  {
    ...common,
    status: oneOf('scheduled', 'in_progress', 'completed'),
    ...{ scheduled_for: noTime, scheduled_until: time },
  },
  ['scheduled_until'],
)

const status = {
  status: object({
    indicator: impact,
    description: oneOf(
      ...['All Systems Operational', 'Service Under Maintenance', 'Partially Degraded Service'],
      ...['Minor Service Outage', 'Partial System Outage', 'Major Service Outage'],
    ),
  }),
}
const components = { components: list(component) }
const incidents = { incidents: list(incident) }
const maintenances = { scheduled_maintenances: list(maintenance) }

const addresses: [path: string, summary: string, parts: Record<string, Json>][] = [
  [
    'summary',
    'Get the status, the components, open incidents and coming maintenances',
    {
      ...components,
      ...incidents,
      ...maintenances,
      ...status,
    },
  ],
  ['status', 'Get the status of the page', status],
  ['components', 'Get the components of the page', components],
  ['incidents', 'Get the 50 newest incidents', incidents],
  ['incidents/unresolved', 'Get the open incidents', incidents],
  ['scheduled-maintenances', 'Get the 50 latest maintenances that are not cancelled', maintenances],
  ['scheduled-maintenances/upcoming', 'Get the maintenances that have not started', maintenances],
  ['scheduled-maintenances/active', 'Get the maintenances in progress', maintenances],
]

export const statuspagePaths: Record<string, Json> = Object.fromEntries(
  addresses.map(([path, summary, parts]) => [
    `/api/v2/${path}.json`,
    {
      get: {
        operationId: `public.statuspage.${path.replace(/\W/g, '_')}`,
        ...{ tags: ['Public'], summary, security: [{}, { token: [] }] },
        description: 'As Statuspage answers, for programs that read pages of Statuspage.',
        parameters: [
          {
            ...{ name: 'maintenance_indicator', in: 'query', schema: oneOf('true') },
            description: 'The status of maintenance is `maintenance`, as Statuspage answers, instead of `none`',
          },
        ],
        responses: {
          200: {
            description: 'The data with the page',
            content: { 'application/json': { schema: object({ page, ...parts }) } },
          },
          default: { $ref: '#/components/responses/Error' },
        },
      },
    },
  ]),
)
