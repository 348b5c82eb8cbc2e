/** The calendars in the OpenAPI document: files of iCalendar instead of JSON. */

const description =
  'RFC 5545, for calendar programs that follow the maintenances: open ones, and those that were completed or cancelled in the last 30 days. A series is one recurring event where RFC 5545 gives the same occurrences.'

const locale = {
  ...{ name: 'locale', in: 'query', description: 'A language of the page' },
  schema: { type: 'string', maxLength: 35 },
}
const idOf = {
  ...{ name: 'id', in: 'path', required: true },
  schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
}
export const codeOfView = {
  ...{ name: 'view_code', in: 'path', required: true, description: 'The short code or the alias' },
  schema: { type: 'string', minLength: 1 },
}

const get = (what: string, summary: string, parameters: object[]) => ({
  get: {
    ...{ operationId: `public.${what}`, tags: ['Public'], summary, description, security: [{}, { token: [] }] },
    parameters: [...parameters, locale],
    responses: {
      200: {
        description: 'The calendar',
        content: { 'text/calendar': { schema: { type: 'string', example: 'BEGIN:VCALENDAR\r\n…' } } },
      },
      default: { $ref: '#/components/responses/Error' },
    },
  },
})

export const calendarPaths = {
  '/calendar.ics': get('calendar', 'Get the maintenances of the page as a calendar', []),
  '/items/{id}/calendar.ics': get('item_calendar', 'Get the maintenances of an item and of the items below it', [idOf]),
  '/v/{view_code}/calendar.ics': get('view_calendar', 'Get the maintenances of the items of a custom view', [
    codeOfView,
  ]),
  '/feeds/{id}.ics': get('custom_calendar', 'Get a calendar that administrators made', [idOf]),
}
