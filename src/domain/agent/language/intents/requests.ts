import type { Request } from './intent.ts'

const request = (
  name: Request['name'],
  rest: Omit<Request, 'name' | 'kind' | 'slots'>,
  optional: Request['slots']['optional'],
): Request => ({
  ...{ name, kind: 'request', ...rest },
  slots: { required: [], optional },
})
const open = { incident: ['open'] }
const scheduled = { maintenance: ['scheduled'] }

/** Of phrases with the same weight the first wins. */
export const requests: Request[] = [
  request(
    'incident_open',
    {
      phrases: [
        'open|report|add|make|start|new|post|announce|need|get incident',
        'open|report|add|make|start|new|post|announce|need|get $outage',
        'open|report problem',
        'set up incident',
      ],
      texts: ['title', 'message'],
      creates: 'incident',
    },
    ['items', 'title', 'status', 'message'],
  ),
  request(
    'incident_update',
    {
      phrases: [
        'update {incident}?',
        'post|add|make|send|release|open update|news {incident}?',
        'set|escalate|move|update {incident} $status',
        'set status {incident} $status',
        'set|move|update {incident} $stage',
        'set status|stage {incident} $stage',
        'inform {incident}',
        'escalate {incident}',
        'add|post|inform {incident}',
      ],
      states: open,
      texts: ['message'],
    },
    ['incident', 'message', 'status', 'stage'],
  ),
  request(
    'incident_resolve',
    {
      phrases: [
        'resolve {incident}?',
        'close|end|complete|wrap {incident}',
        'set|move|update {incident} resolve|close|complete|end',
        'set status {incident} resolve|close',
        'call {incident} off|resolve|close',
      ],
      states: open,
      texts: ['message'],
    },
    ['incident', 'message'],
  ),
  request(
    'incident_reopen',
    {
      phrases: [
        'reopen {incident}?',
        'open again {incident}',
        'open back {incident}',
        'set {incident} open again|back?',
        'set {incident} reopen',
      ],
      states: { incident: ['resolved'] },
      texts: ['message'],
    },
    ['incident', 'message'],
  ),
  request(
    'incident_acknowledge',
    {
      phrases: ['acknowledge {incident}?', 'take {incident}', 'assign {incident}', 'set {incident} acknowledge'],
      states: open,
      texts: [],
    },
    ['incident'],
  ),
  request(
    'maintenance_schedule',
    {
      phrases: [
        'schedule|open|add|make|announce|new|need|post|get|report maintenance',
        'schedule|open|add|make|announce|new|need|get window|work',
        'set|put up|in maintenance|window',
        'set up maintenance',
        'take maintenance',
      ],
      texts: ['title', 'message'],
      creates: 'maintenance',
    },
    ['items', 'title', 'start', 'end', 'minutes'],
  ),
  request(
    'maintenance_reschedule',
    {
      phrases: [
        'reschedule|extend {maintenance}?',
        'move|set|make|update {maintenance} start? $time',
        'schedule {maintenance!} $time',
        'move {maintenance}',
      ],
      states: { maintenance: ['scheduled', 'in_progress'] },
      texts: [],
    },
    ['maintenance', 'start', 'end', 'minutes', 'shift', 'longer'],
  ),
  request(
    'maintenance_start',
    {
      phrases: [
        'start {maintenance}',
        'kick off {maintenance}',
        'open {maintenance}',
        'run {maintenance}',
        'set {maintenance} running|start',
      ],
      states: scheduled,
      texts: ['message'],
    },
    ['maintenance', 'message'],
  ),
  request(
    'maintenance_complete',
    {
      phrases: [
        'complete|close|end|stop {maintenance}',
        'wrap up {maintenance}',
        'resolve {maintenance}',
        'set {maintenance} complete|end|close|resolve',
      ],
      states: { maintenance: ['in_progress'] },
      texts: ['message'],
    },
    ['maintenance', 'message'],
  ),
  request(
    'maintenance_cancel',
    {
      phrases: ['cancel {maintenance}', 'call off {maintenance}', 'set {maintenance} cancel', 'turn off {maintenance}'],
      states: { maintenance: ['scheduled'] },
      texts: ['message'],
    },
    ['maintenance', 'message'],
  ),
  request(
    'occurrence_skip',
    {
      phrases: [
        'skip {series}?',
        'leave out {series}',
        'cancel {series}',
        'skip|cancel|leave occurrence',
        'call off {series}',
        'set {series} skip',
        'stop {series}',
      ],
      texts: ['reason'],
    },
    ['series', 'date', 'reason'],
  ),
  request(
    'beat_pause',
    {
      phrases: [
        'pause {beat}?',
        'stop|disable {beat}',
        'stop check|beat {beat}',
        'turn off {beat}',
        'set {beat} pause|disable',
      ],
      without: ['alert', 'notification'],
      texts: ['reason'],
    },
    ['beat', 'reason'],
  ),
  request(
    'beat_resume',
    {
      phrases: [
        'resume {beat}?',
        'enable|start|reopen {beat}',
        'turn on {beat}',
        'start check {beat}',
        'set {beat} resume|enable|running',
      ],
      without: ['alert', 'notification'],
      texts: ['reason'],
    },
    ['beat', 'reason'],
  ),
  request(
    'beat_run',
    {
      phrases: [
        'run|trigger {beat}',
        'run|trigger|start|make|need|get check|occurrence {beat}',
        'kick off {beat}',
        'check {beat} $now',
        'check {beat} again',
        'run check',
      ],
      texts: ['reason'],
    },
    ['beat', 'reason'],
  ),
  request(
    'beat_mute',
    {
      phrases: [
        'mute {beat}?',
        'set {beat} mute',
        'turn off alert|notification {beat}',
        'stop|pause|disable alert|notification {beat}?',
        'mute alert|notification {beat}?',
      ],
      texts: ['reason'],
    },
    ['beat', 'minutes', 'until'],
  ),
  request(
    'action_approve',
    { phrases: ['approve {action}', 'post|release {action}', 'set {action} approve'], texts: ['message'] },
    ['action', 'message'],
  ),
  request(
    'action_reject',
    { phrases: ['reject {action}', 'cancel {action}', 'set {action} reject'], texts: ['message'] },
    ['action', 'message'],
  ),
  request(
    'item_status_set',
    {
      phrases: [
        'set|move|turn|update {item} $status',
        'set status {item}',
        'set|update status {item} $status',
        'set {item}',
        'make {item} $status',
      ],
      texts: ['reason'],
    },
    ['item', 'status', 'until', 'minutes', 'reason'],
  ),
  request(
    'item_status_clear',
    {
      phrases: [
        'clear status|override {item}?',
        'cancel|stop|end override {item}?',
        'stop|end set {item}',
        'reset {item}',
        'clear status {item} $status?',
      ],
      texts: [],
    },
    ['item'],
  ),
]
