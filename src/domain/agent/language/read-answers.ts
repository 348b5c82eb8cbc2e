import type { Found, IntentName, NamedRecord, RecordKind, Situation, Slots } from './types.ts'
import { understand } from './understand.ts'

interface Asked {
  key: string
  kind: string
}

interface Request {
  intent: IntentName
  slots: Slots
}

interface Read {
  slots: Slots
  /** By the key of the question, why its answer was not understood. */
  refused: Record<string, string>
}

/** The slots that answers to the questions of a request fill. Answers are values as in the options, or words. */
export async function readAnswers(
  questions: Asked[],
  answers: Record<string, unknown>,
  request: Request,
  situation: Situation,
): Promise<Read> {
  const slots: Record<string, unknown> = {}
  const refused: Record<string, string> = {}
  for (const question of questions) {
    const { key } = question
    if (!(key in answers)) continue
    const answer = answers[key]
    const value = exactly(question, answer, situation) ?? (await inWords(question, String(answer), request, situation))
    if (value === undefined) refused[key] = `I could not read the answer “${String(answer)}”.`
    else slots[key] = key === 'items' ? [...understoodItems(request.slots), ...(value as Found[])] : value
  }
  return { slots: slots as Slots, refused }
}

/** A question for an unknown item keeps the items that the request names besides it. */
function understoodItems({ items = [] }: Slots): Found[] {
  const known = items.filter((item) => 'id' in item)
  return known.length < items.length ? known : []
}

/** A value as a program sends it: an id, a key, a moment in ISO 8601, a number of minutes. */
function exactly({ kind, key }: Asked, answer: unknown, situation: Situation): unknown {
  const text = String(answer).trim()
  switch (kind) {
    case 'items':
      return allOf(Array.isArray(answer) ? answer : [answer], (one) => recordOf('item', one, situation))
    case 'record':
    case 'item': {
      const record = recordOf(key === 'items' ? 'item' : (key as RecordKind), text, situation)
      return record && key === 'items' ? [record] : record
    }
    case 'status':
      return situation.statusTypes.find(({ key: status, name }) => isSame(status, text) || isSame(name, text))?.key
    case 'duration':
      return /^\d{1,6}$/.test(text) ? Number(text) : undefined
    case 'datetime':
      return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))
        ? new Date(text).toISOString()
        : undefined
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined
    default:
      return text === '' ? undefined : text
  }
}

/** The answer in words continues the request: "tomorrow at 22:00", "two hours", "Checkout and Search". */
async function inWords(
  { kind, key }: Asked,
  text: string,
  { intent, slots }: Request,
  situation: Situation,
): Promise<unknown> {
  const { [key as keyof Slots]: _asked, ...others } = slots
  const understood = await understand(text, { ...situation, memory: { intent, slots: others, records: [] } })
  const value =
    understood.kind === 'request' && understood.intent === intent ? understood.slots[key as keyof Slots] : undefined
  if (value !== undefined || (kind !== 'record' && kind !== 'item')) return value
  const unknown: Found = { kind: (key === 'items' ? 'item' : key) as RecordKind, text, candidates: [] }
  return key === 'items' ? [unknown] : unknown
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** All values, or undefined if one of them is not exact. */
function allOf<T, R>(list: T[], read: (one: T) => R | undefined): R[] | undefined {
  const found = list.map(read)
  return found.every((one) => one !== undefined) ? (found as R[]) : undefined
}

const lists: Record<RecordKind, (situation: Situation) => NamedRecord[]> = {
  item: ({ items }) => items,
  incident: ({ incidents }) => incidents,
  maintenance: ({ maintenances }) => maintenances,
  series: ({ series }) => series,
  beat: ({ beats }) => beats,
  beat_group: ({ beat_groups }) => beat_groups,
  action: ({ actions }) => actions,
  endpoint: ({ endpoints }) => endpoints,
}

/** By id, by name or by another name. */
function recordOf(kind: RecordKind, answer: unknown, situation: Situation): Found | undefined {
  const text = String(answer).trim()
  const all = lists[kind](situation)
  const found =
    all.find(({ id }) => String(id) === text) ??
    all.find(({ name, aliases = [] }) => [name, ...aliases].some((one) => isSame(one, text)))
  return found && { kind, id: found.id, name: found.name }
}
