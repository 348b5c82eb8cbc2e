import type { Found, NamedRecord, RecordKind, Situation, Slots } from './types.ts'

interface Asked {
  key: string
  kind: string
  options?: { value: string; label: string }[]
}

interface Read {
  slots: Slots
  /** By the key of the question, why its answer was not understood. */
  refused: Record<string, string>
}

/** The slots that answers to the questions of a plan fill. */
export function readAnswers(questions: Asked[], answers: Record<string, unknown>, situation: Situation): Read {
  const slots: Record<string, unknown> = {}
  const refused: Record<string, string> = {}
  for (const question of questions) {
    if (!(question.key in answers)) continue
    const value = readAnswer(question, answers[question.key], situation)
    if (value === undefined) refused[question.key] = `I could not read the answer “${String(answers[question.key])}”.`
    else slots[question.key] = value
  }
  return { slots: slots as Slots, refused }
}

function readAnswer(question: Asked, answer: unknown, situation: Situation): unknown {
  const { kind, key } = question
  if (kind === 'items') return listOf(answer).map((one) => recordOf('item', one, situation))
  if (kind === 'record' || kind === 'item') {
    const record = recordOf(key === 'items' ? 'item' : (key as RecordKind), answer, situation)
    return key === 'items' ? [record] : record
  }
  const text = String(answer).trim()
  if (kind === 'status') {
    return situation.statusTypes.find((one) => one.key === text || one.name.toLowerCase() === text.toLowerCase())?.key
  }
  if (kind === 'duration') return typeof answer === 'number' ? answer : undefined
  if (kind === 'datetime') return Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()
  if (kind === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined
  return text === '' ? undefined : text
}

const listOf = (answer: unknown): unknown[] => (Array.isArray(answer) ? answer : String(answer).split(/\s*,\s*/))

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

/** By id or by name. */
function recordOf(kind: RecordKind, answer: unknown, situation: Situation): Found {
  const text = String(answer).trim()
  const all = lists[kind](situation)
  const found =
    all.find(({ id }) => String(id) === text) ?? all.find(({ name }) => name.toLowerCase() === text.toLowerCase())
  return found ? { kind, id: found.id, name: found.name } : { kind, text, candidates: [] }
}
