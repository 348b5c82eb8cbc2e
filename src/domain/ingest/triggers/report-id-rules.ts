/** The id of a report and the fingerprint must differ: a recovery would be taken for a duplicate of its firing event. Pure. */

interface Paths {
  fingerprint_path?: string | undefined
  external_event_id_path?: string | undefined
}

export const IS_FINGERPRINT =
  'must not be the fingerprint: a recovery would be taken for a duplicate of its firing event'

/** Compares the paths in any spelling. `hasElements`: `$` is an element of the payload and not the payload. */
export function isFingerprint({ fingerprint_path, external_event_id_path: id }: Paths, hasElements: boolean): boolean {
  return id !== undefined && spelledPlainly(id, hasElements) === spelledPlainly(fingerprint_path ?? '', hasElements)
}

function spelledPlainly(path: string, hasElements: boolean): string {
  const ofPayload = hasElements ? path : path.replace(/^event\.payload(?=[.[])/, '$')
  return ofPayload.replace(/\[\s*(['"])([A-Za-z_]\w*)\1\s*\]/g, '.$2')
}
