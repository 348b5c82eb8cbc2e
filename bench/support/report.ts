import { type Fact, machineFacts } from './facts.ts'

export interface Figure {
  name: string
  value: number
  unit: string
  /** The promise; a figure without one is there to be known. */
  target?: { atLeast: number } | { under: number } | { atMost: number }
}

export interface Report {
  /** What was measured, against what, and how: a reader must be able to doubt it. */
  how: string[]
  figures: Figure[]
  facts?: Fact[]
}

export function passes({ value, target }: Figure): boolean {
  if (!target) return true
  if ('atLeast' in target) return value >= target.atLeast
  return 'under' in target ? value < target.under : value <= target.atMost
}

/** As Markdown, which also reads well in a terminal. */
export async function rendered(name: string, { how, figures, facts = [] }: Report): Promise<string> {
  const rows = figures.map((figure) => [
    figure.name,
    `${rounded(figure.value)} ${figure.unit}`.trim(),
    figure.target ? promise(figure) : '',
    figure.target ? (passes(figure) ? 'PASS' : 'MISS') : '',
  ])
  const known = [...(await machineFacts()), ...facts].map(([key, value]) => `${key} ${value}`).join(' · ')
  return [`## ${name}`, ...how, table(['', 'measured', 'target', ''], rows), known].join('\n\n')
}

function promise({ target, unit }: Figure): string {
  const [word, value] = Object.entries(target ?? {})[0] ?? []
  const words = { atLeast: 'at least', under: 'under', atMost: 'at most' }
  return `${words[word as keyof typeof words]} ${value} ${unit}`.trim()
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]!.length)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
