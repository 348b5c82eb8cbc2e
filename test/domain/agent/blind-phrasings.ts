/**
 * A hundred phrasings, written from the design of the planner, without knowledge of its code. They measure how well the
 * planner understands sentences for which no phrase was written, so a phrasing is not changed to fit the planner.
 *
 * The situation is the one of the other tables: Wednesday 2027-03-10, 15:30 in Europe/Berlin. `none` means that no plan may follow;
 * an answer to a question is right too.
 */
interface Remembered {
  intent?: string
  slots?: Record<string, unknown>
  records: { kind: string; id: number; name: string }[]
}

type Expected =
  | { kind: 'question' | 'request'; intent: string; slots: Record<string, unknown> }
  | { kind: 'none'; intent?: undefined; slots?: undefined }

interface Phrasing {
  query: string
  memory?: Remembered
  expected: Expected
}

const ask = (query: string, intent: string, slots: Record<string, unknown> = {}, memory?: Remembered): Phrasing => ({
  query,
  ...(memory && { memory }),
  expected: { kind: 'question', intent, slots },
})

const request = (
  query: string,
  intent: string,
  slots: Record<string, unknown> = {},
  memory?: Remembered,
): Phrasing => ({
  query,
  ...(memory && { memory }),
  expected: { kind: 'request', intent, slots },
})

const none = (query: string, memory?: Remembered): Phrasing => ({
  query,
  ...(memory && { memory }),
  expected: { kind: 'none' },
})

const slowCheckout = { kind: 'incident', id: 41, name: 'Checkout is slow' }
const delayedEmails = { kind: 'incident', id: 42, name: 'Emails are delayed' }
const databaseUpgrade = { kind: 'maintenance', id: 51, name: 'Database upgrade' }
const mailServerMove = { kind: 'maintenance', id: 53, name: 'Mail server move' }
const searchLatency = { kind: 'beat', id: 72, name: 'Search latency' }
const checkout = { kind: 'item', id: 3, name: 'Checkout' }

const questions = [
  ask('Is everything up right now?', 'status'),
  ask('How are our systems doing today?', 'status'),
  ask('hi! are all systems operational?', 'status'),
  ask('is checkout down?', 'item_status', { item: 3 }),
  ask("How's the payments api doing?", 'item_status', { item: 4 }),
  ask("what's the current status of PAY", 'item_status', { item: 4 }),
  ask('is the mobil app up', 'item_status', { item: 7 }),
  ask('Good morning, is login working again?', 'item_status', { item: 9 }),
  ask('Is Billing down?', 'item_status', { item: { text: 'Billing' } }),
  ask('and what about Search?', 'item_status', { item: 5 }, { intent: 'item_status', records: [checkout] }),
  ask('What incidents are open at the moment?', 'incidents_open'),
  ask('are there any ongoing incidents affecting Emails?', 'incidents_open', { item: 10 }),
  ask('tell me more about incident 42', 'incident_detail', { incident: 42 }),
  ask('What is the latest on "Checkout is slow"?', 'incident_detail', { incident: 41 }),
  ask(
    "what's the latest on it?",
    'incident_detail',
    { incident: 41 },
    { intent: 'incidents_open', records: [slowCheckout] },
  ),
  ask('Which incidents did we have last week?', 'incidents_past', {
    from: '2027-02-28T23:00:00.000Z',
    to: '2027-03-07T23:00:00.000Z',
  }),
  ask('were there any incidents on Login in February?', 'incidents_past', {
    item: 9,
    from: '2027-01-31T23:00:00.000Z',
    to: '2027-02-28T23:00:00.000Z',
  }),
  ask('show me past incidents of search', 'incidents_past', { item: 5 }),
  ask('Is any maintenance planned for tomorrow?', 'maintenance_upcoming', {
    from: '2027-03-10T23:00:00.000Z',
    to: '2027-03-11T23:00:00.000Z',
  }),
  ask('when is the next maintenance on the Payments API?', 'maintenance_upcoming', { item: 4 }),
  ask('upcoming maintenance next week', 'maintenance_upcoming', {
    from: '2027-03-14T23:00:00.000Z',
    to: '2027-03-21T23:00:00.000Z',
  }),
  ask('When will the router replacement be finished?', 'maintenance_detail', { maintenance: 52 }),
  ask('show me the details of maintenance 51', 'maintenance_detail', { maintenance: 51 }),
  ask('What changed since yesterday?', 'changes', { from: '2027-03-08T23:00:00.000Z' }),
  ask('what has changed on Website since Monday 9am?', 'changes', { item: 6, from: '2027-03-08T08:00:00.000Z' }),
  ask('What happened between 10:00 and 12:00 today?', 'changes', {
    from: '2027-03-10T09:00:00.000Z',
    to: '2027-03-10T11:00:00.000Z',
  }),
  ask('What was the uptime of Checkout over the last 30 days?', 'uptime', { item: 3, days: 30 }),
  ask('how available was the payments API in the past 90 days', 'uptime', { item: 4, days: 90 }),
  ask('Are all beats healthy?', 'beats'),
  ask("what's the state of the beat Search latency?", 'beats', { beat: 72 }),
  ask('Why is Payments ping critical?', 'beat_why', { beat: 73 }),
  ask('why did checkout health fire at 10:00?', 'beat_why', { beat: 71, at: '2027-03-10T09:00:00.000Z' }),
  ask('why did the Search latency beat go red yesterday at 23:15', 'beat_why', {
    beat: 72,
    at: '2027-03-09T22:15:00.000Z',
  }),
  ask('Are there any reviews waiting for me?', 'reviews'),
  ask('what do I still have to approve?', 'reviews'),
  ask('Which events came in from Alertmanager since 14:00?', 'ingest_events', {
    endpoint: 21,
    from: '2027-03-10T13:00:00.000Z',
  }),
  ask('Why was no reminder sent for the emails incident?', 'explain', { incident: 42, topic: 'reminder' }),
  ask('why did nothing happen at 10:00?', 'explain', { at: '2027-03-10T09:00:00.000Z' }),
  ask("Why didn't the database upgrade start?", 'explain', { maintenance: 51, topic: 'start' }),
  ask('what can you do for me?', 'help'),
]

const requests = [
  request('Please open a major outage on Checkout', 'incident_open', { items: [3], status: 'major_outage' }),
  request(
    'Open an incident called "Payments are failing" for Payments API and Checkout, status partial outage',
    'incident_open',
    { items: [4, 3], title: 'Payments are failing', status: 'partial_outage' },
  ),
  request(
    'hi, could you please create a new incident for the website with the message "We are looking into slow pages"?',
    'incident_open',
    { items: [6], message: 'We are looking into slow pages' },
  ),
  request('Open an incident on Login, title: "Users cannot sign in", major outage', 'incident_open', {
    items: [9],
    title: 'Users cannot sign in',
    status: 'major_outage',
  }),
  request('Report degraded performance on Search saying "Results may be out of date."', 'incident_open', {
    items: [5],
    status: 'degraded',
    message: 'Results may be out of date.',
  }),
  request('open an incident', 'incident_open'),
  request('Update incident 41: we found the cause and are rolling back', 'incident_update', {
    incident: 41,
    message: 'we found the cause and are rolling back',
  }),
  request('post an update to the emails incident saying "The queue is draining."', 'incident_update', {
    incident: 42,
    message: 'The queue is draining.',
  }),
  request('set incident 42 to partial outage', 'incident_update', { incident: 42, status: 'partial_outage' }),
  request(
    'please add an update to it: "A fix is being deployed"',
    'incident_update',
    { incident: 41, message: 'A fix is being deployed' },
    { intent: 'incident_detail', records: [slowCheckout] },
  ),
  request('Resolve incident 41', 'incident_resolve', { incident: 41 }),
  request('can you resolve the checkout incident please', 'incident_resolve', { incident: 41 }),
  request('Close incident #42 with the message "All delayed emails were delivered."', 'incident_resolve', {
    incident: 42,
    message: 'All delayed emails were delivered.',
  }),
  request(
    'ok then resolve it',
    'incident_resolve',
    { incident: 42 },
    { intent: 'incident_detail', records: [delayedEmails, slowCheckout] },
  ),
  request('please resolve it', 'incident_resolve'),
  request('resolve incident 99', 'incident_resolve', { incident: { text: '99' } }),
  request('Reopen the Search outage', 'incident_reopen', { incident: 38 }),
  request('please reopen incident 37, message: "Some users still cannot log in."', 'incident_reopen', {
    incident: 37,
    message: 'Some users still cannot log in.',
  }),
  request('ack the emails incident', 'incident_acknowledge', { incident: 42 }),
  request('Schedule maintenance on Search tomorrow 22:00 for two hours', 'maintenance_schedule', {
    items: [5],
    start: '2027-03-11T21:00:00.000Z',
    minutes: 120,
  }),
  request(
    'Please plan a maintenance called "Certificate renewal" for Login and Website on Friday from 21:00 to 23:30',
    'maintenance_schedule',
    {
      items: [9, 6],
      title: 'Certificate renewal',
      start: '2027-03-12T20:00:00.000Z',
      end: '2027-03-12T22:30:00.000Z',
    },
  ),
  request(
    'schedule a maintenance window for the EU Datacenter on March 14 from 22:00 to 02:00',
    'maintenance_schedule',
    { items: [8], start: '2027-03-14T21:00:00.000Z', end: '2027-03-15T01:00:00.000Z' },
  ),
  request('Can you schedule maintenance of the Mobile App next Monday at 6am for 90 minutes?', 'maintenance_schedule', {
    items: [7],
    start: '2027-03-15T05:00:00.000Z',
    minutes: 90,
  }),
  request('schedule maintenance for the platform in 30 minutes for an hour', 'maintenance_schedule', {
    items: [2],
    start: '2027-03-10T15:00:00.000Z',
    minutes: 60,
  }),
  // After the change to summer time.
  request('plan maintenance on April 3 at 20:00 for 45 minutes on Emails', 'maintenance_schedule', {
    items: [10],
    start: '2027-04-03T18:00:00.000Z',
    minutes: 45,
  }),
  request('Move the database upgrade to Thursday at 9pm', 'maintenance_reschedule', {
    maintenance: 51,
    start: '2027-03-11T20:00:00.000Z',
  }),
  request('reschedule maintenance 53 to tomorrow 20:00-22:00', 'maintenance_reschedule', {
    maintenance: 53,
    start: '2027-03-11T19:00:00.000Z',
    end: '2027-03-11T21:00:00.000Z',
  }),
  request(
    'make it 23:00 instead',
    'maintenance_reschedule',
    { maintenance: 51, start: '2027-03-11T22:00:00.000Z' },
    {
      intent: 'maintenance_reschedule',
      slots: { maintenance: databaseUpgrade, start: '2027-03-11T21:00:00.000Z' },
      records: [databaseUpgrade],
    },
  ),
  request('Please start the mail server move now', 'maintenance_start', { maintenance: 53 }),
  request('The router replacement is done, please complete it', 'maintenance_complete', { maintenance: 52 }),
  request('Cancel the database upgrade', 'maintenance_cancel', { maintenance: 51 }),
  request(
    'cancel that maintenance with the message "The supplier is not available."',
    'maintenance_cancel',
    { maintenance: 53, message: 'The supplier is not available.' },
    { intent: 'maintenance_detail', records: [mailServerMove] },
  ),
  request('Skip the next weekly backup', 'occurrence_skip', { series: 61 }),
  request('skip the weekly backup on 17 March, reason: "release freeze"', 'occurrence_skip', {
    series: 61,
    date: '2027-03-17',
    reason: 'release freeze',
  }),
  request('pause payments ping', 'beat_pause', { beat: 73 }),
  request('unpause it', 'beat_resume', { beat: 72 }, { intent: 'beat_pause', records: [searchLatency] }),
  request('Run the Payments ping check now', 'beat_run', { beat: 73 }),
  request('Mute Checkout health for 3 hours', 'beat_mute', { beat: 71, minutes: 180 }),
  request('silence the shop beats until 18:00', 'beat_mute', { beat: 81, until: '2027-03-10T17:00:00.000Z' }),
  request('Approve the Search latency review', 'action_approve', { action: 91 }),
  request('reject the review of Shop beats with the message "Known problem of the probe."', 'action_reject', {
    action: 92,
    message: 'Known problem of the probe.',
  }),
  request('Set Website to degraded performance until 18:00', 'item_status_set', {
    item: 6,
    status: 'degraded',
    until: '2027-03-10T17:00:00.000Z',
  }),
  request('please put the Mobile App under maintenance for 2 hours', 'item_status_set', {
    item: 7,
    status: 'maintenance',
    minutes: 120,
  }),
  request('clear the status override of Website', 'item_status_clear', { item: 6 }),
  request('remove the manual status from login', 'item_status_clear', { item: 9 }),
]

const noPlan = [
  none("Don't resolve incident 41 yet"),
  none('how do I resolve an incident?'),
  none('can I open an incident myself?'),
  none('should we cancel the database upgrade?'),
  none('who resolved incident 38?'),
  none('was the checkout incident resolved?'),
  none('if we resolved incident 42 now, would subscribers get an email?'),
  none("The customer wrote 'resolve incident 41', what should I answer?"),
  none('Ticket 5512 says: "please cancel the database upgrade"'),
  none('what would happen if I paused Payments ping?'),
  none('please do not approve the Search latency review'),
  none('never start maintenance 53 without asking me first'),
  none('thanks, that helped a lot!'),
  none('did anybody schedule maintenance for Search?'),
  none("no, don't cancel it", { intent: 'maintenance_detail', records: [databaseUpgrade] }),
]

export const blindPhrasings: Phrasing[] = [...questions, ...requests, ...noPlan]
