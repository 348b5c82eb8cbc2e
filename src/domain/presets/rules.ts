/** The categories of presets. The category decides which variables a preset may hold. */
export const categories = [
  'general',
  'incident',
  'maintenance',
  'incident_impact',
  'maintenance_impact',
  'synthetic_warning',
  'synthetic_critical',
  'synthetic_recovery',
] as const
export type Category = (typeof categories)[number]

interface Variable {
  name: string
  means: string
  sample: string
}

const variable = (name: string, means: string, sample: string): Variable => ({ name, means, sample })

const page = [variable('Page-Name', 'the name of the page', 'Example status page')]

const LEVEL = 'impacted-level-N'
const items = [
  variable('Hierarchy-Item-Name', 'the names of the affected items', 'Payments'),
  variable(LEVEL, 'the names of the affected items and parents at depth N of the hierarchy, from 1', 'Checkout'),
]

const incident = [
  ...page,
  variable('Incident-Title', 'the title of the incident', 'Payments fail'),
  variable('Incident-Status', 'its status', 'Degraded'),
  ...items,
]

const maintenance = [
  ...page,
  variable('Maintenance-Title', 'the title of the maintenance', 'Database upgrade'),
  variable('Scheduled-Start', 'when it starts', '21 November 2026, 22:00 UTC'),
  variable('Scheduled-End', 'when it ends', '21 November 2026, 23:30 UTC'),
  ...items,
]

/** The variables of a beat's message policy, which a preset can replace. */
const synthetic = [
  variable('Monitor-Name', 'the name of the beat', 'Checkout API'),
  variable('Monitor-Stage', 'the current stage of the beat', 'critical'),
  variable('Evidence-Summary', 'the evidence in one sentence', '3 of 3 checks failed'),
  variable('Latest-Latency-Ms', 'the duration of the last check', '1840'),
  variable('Latest-Status-Code', 'the HTTP status of the last check', '503'),
  variable('Latest-Region', 'the region of the last check', 'local'),
  variable('Target-Url', 'the target of the beat', 'https://checkout.example.com/health'),
  ...items,
]

const variables: Record<Category, Variable[]> = {
  general: page,
  incident,
  maintenance,
  incident_impact: incident,
  maintenance_impact: maintenance,
  synthetic_warning: synthetic,
  synthetic_critical: synthetic,
  synthetic_recovery: synthetic,
}

const MARK = /\{\{([^{}]*)\}\}/g
const LEVELS = /^impacted-level-[1-9]\d?$/

const find = (name: string, category: Category) =>
  variables[category].find((known) => (known.name === LEVEL ? LEVELS.test(name) : known.name === name))

/** The variables in a text, each once, in order. */
export function variablesIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(MARK), (match) => match[1]!.trim()))]
}

export const isVariable = (name: string, category: Category): boolean => find(name, category) !== undefined

export function unknownVariables(text: string, category: Category): string[] {
  return variablesIn(text).filter((name) => !isVariable(name, category))
}

export const variablesOf = (category: Category): Variable[] => variables[category]

export function sampleOf(name: string, category: Category): string {
  return find(name, category)?.sample ?? ''
}

/** Fills in the variables once: variables inside values stay. A variable without a value becomes empty. */
export function render(text: string, values: Record<string, string>): string {
  return text.replace(MARK, (_mark, name: string) => {
    const key = name.trim()
    return Object.hasOwn(values, key) ? values[key]! : ''
  })
}
