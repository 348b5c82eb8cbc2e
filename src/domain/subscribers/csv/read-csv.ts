import { setImmediate } from 'node:timers/promises'
import { type CsvError, type InfoRecord, parse } from 'csv-parse'
import { invalid } from '../../kernel/errors.ts'
import { exportColumns, plainCell } from './cell-rules.ts'

const columns = ['email', 'locale', 'items', 'event_kinds'] as const
type Column = (typeof columns)[number]

export interface CsvRow {
  /** The line of the file, from 1. */
  line: number
  cells: Record<Column, string>
  /** The first text in a cell that has no column. */
  surplus: string | undefined
}

/** The parser holds the event loop for one such part at a time. */
const PART = 4 * 1024
const MOST_IN_RECORD = 20_000
/** Bounds the memory of an import. */
export const MOST_LINES = 50_000
const AT_ONCE = 1000

/** The lines of a file below its header. The columns are in any order, and only `email` is required. */
export async function readCsv(text: string): Promise<CsvRow[]> {
  const [header, ...records] = await recordsOf(text)
  const names = (header?.record ?? []).map((name) => name.trim().toLowerCase())
  requireColumns(names)
  const rows: CsvRow[] = []
  for (const [index, { record, info }] of records.entries()) {
    if (index % AT_ONCE === 0) await setImmediate()
    const cells = columns.map((name) => [name, plainCell(record[names.indexOf(name)] ?? '')])
    const surplus = record.slice(names.length).find(Boolean)
    rows.push({ line: info.lines, cells: Object.fromEntries(cells) as CsvRow['cells'], surplus })
  }
  return rows
}

function requireColumns(names: string[]): void {
  const refuse = (message: string) => invalid([{ path: 'csv', message }])
  if (!names.includes('email')) throw refuse('needs a header line with the column `email`')
  const unknown = names.find((name) => !columns.some((column) => column === name) && !exportColumns.includes(name))
  if (unknown !== undefined) throw refuse(`has the unknown column "${unknown}"; columns are ${columns.join(', ')}`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw refuse(`has the column "${twice}" twice`)
}

interface Parsed {
  record: string[]
  info: InfoRecord
}

async function recordsOf(text: string): Promise<Parsed[]> {
  const options = { bom: true, info: true, skip_empty_lines: true, trim: true, relax_column_count: true }
  const parser = parse({ ...options, max_record_size: MOST_IN_RECORD })
  const records: Parsed[] = []
  parser.on('readable', () => {
    for (let one = parser.read(); one !== null; one = parser.read()) records.push(one as Parsed)
  })
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  parser.on('end', resolve).on('error', (error) => reject(refused(error as CsvError)))
  // A failure while parts are written is awaited below.
  ended.catch(() => {})
  for (let at = 0; at < text.length && !parser.errored; at += PART) {
    requireFew(records)
    parser.write(text.slice(at, at + PART))
    await setImmediate()
  }
  parser.end()
  await ended
  requireFew(records)
  return records
}

/** The first record is the header. */
function requireFew(records: Parsed[]): void {
  if (records.length <= MOST_LINES + 1) return
  throw invalid([{ path: 'csv', message: `has more than ${MOST_LINES} lines: import it in several files` }])
}

const refused = ({ message }: CsvError) => invalid([{ path: 'csv', message: `is no valid CSV: ${message}` }])
