import { en } from '../../languages/en/index.ts'
import type { Labels } from '../../languages/labels.ts'
import { statusNameIn } from './status-name-rules.ts'

/**
 * The entries that the service writes into timelines when a request gives no text. They are stored in English; while
 * the stored text is unedited, readers see the same label in their language.
 */
const labelOf = {
  resolved: 'timeline.incident.resolved',
  reopened: 'timeline.incident.reopened',
  in_progress: 'timeline.maintenance.in_progress',
  completed: 'timeline.maintenance.completed',
  cancelled: 'timeline.maintenance.cancelled',
} as const

export const automaticText = (kind: keyof typeof labelOf): string => en[labelOf[kind]]

export const automaticStatusText = (name: string): string => en[STATUS].replace('{status}', () => name)

const STATUS = 'timeline.incident.status'
const labelsByText = new Map<string, (typeof labelOf)[keyof typeof labelOf]>(
  Object.values(labelOf).map((label) => [en[label], label]),
)

interface Entry {
  message: string
  status: string
}

/** The text of an entry in the language of the labels; undefined for a text of a person. */
export function automaticTextIn({ text, ...rest }: Labels, { message, status }: Entry): string | undefined {
  const label = labelsByText.get(message)
  if (label) return text(label)
  const name = statusIn(en[STATUS], message)
  return name === undefined ? undefined : text(STATUS, { status: statusNameIn({ text, ...rest }, status, name) })
}

/** Whether a text that readers see in the language of the labels is the text of an automatic entry. */
export const isAutomatic = ({ text }: Labels, message: string): boolean =>
  Object.values(labelOf).some((label) => text(label) === message) || statusIn(text(STATUS), message) !== undefined

function statusIn(pattern: string, message: string): string | undefined {
  const [before = '', after = ''] = pattern.split('{status}')
  return message.startsWith(before) && message.endsWith(after) ? message.slice(before.length, -after.length) : undefined
}
