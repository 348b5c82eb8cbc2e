import { createHash } from 'node:crypto'

/** Which sections of the page differ between two versions. Pure: no clock, no database. */

/** The sections of the page, by the keys of its order; `page` is its name, texts and appearance. */
export const sections = [
  'page',
  'status',
  'current_activity',
  'components',
  'upcoming_maintenance',
  'past_incidents',
] as const
export type Section = (typeof sections)[number]

const HASH_LENGTH = 6

/** A hash for each section: the same contents have the same version in every process, and after a restart. */
export const versionOf = (contents: Record<Section, unknown>): string =>
  sections.map((section) => hashOf(JSON.stringify(contents[section]))).join('.')

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH)

/** The sections that changed since a version; all of them if the version has another form. */
export function changedSections(known: string, current: string): Section[] {
  if (known === current) return []
  const [before, after] = [known.split('.'), current.split('.')]
  if (before.length !== sections.length) return [...sections]
  return sections.filter((_section, index) => before[index] !== after[index])
}
