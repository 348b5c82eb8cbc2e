import { changedSections } from '../../domain/pages/views/contents-rules.ts'

/** The texts of a stream of server-sent events. Pure. */

export const RETRY = 'retry: 5000\n\n'
export const COMMENT = ':\n\n'

/** The version alone, which a browser sends as `Last-Event-ID` when it connects again. */
const versionEvent = (version: string) => `id: ${version}\n\n`

/** What a stream that knows a version needs to learn; nothing if it knows the current version. */
export function eventFor(known: string | undefined, version: string): string | undefined {
  if (known === undefined) return versionEvent(version)
  const sections = changedSections(known, version)
  if (sections.length === 0) return undefined
  return `id: ${version}\nevent: change\ndata: ${JSON.stringify({ version, sections })}\n\n`
}

/** A version of which all sections changed. */
export const UNKNOWN_VERSION = '-'

const VERSION = /^[\w.-]{1,100}$/

/** A version that a client sent; another text is a version of an unknown form, of which all sections changed. */
export const readVersion = (text: string): string | undefined =>
  text === '' ? undefined : VERSION.test(text) ? text : UNKNOWN_VERSION
