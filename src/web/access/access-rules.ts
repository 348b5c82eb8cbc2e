/** What a reader proved to be allowed to: a token of the page, an access link, or a session that the password began. */
export type Credential = 'token' | 'link' | 'session' | 'none'

interface Readable {
  visibility: 'public' | 'private'
  viewer_auth_mode: 'none' | 'password'
}

/** `not_found`: the answer is the same as for a page that does not exist. */
export type Admission = 'read' | 'password' | 'not_found'

/** Who may read a page. The rule is the same for every door: documents, reads of the API, streams, and subscribing. */
export function admissionOf({ visibility, viewer_auth_mode }: Readable, credential: Credential): Admission {
  if (credential === 'token' || credential === 'link') return 'read'
  if (viewer_auth_mode === 'password') return credential === 'session' ? 'read' : 'password'
  return visibility === 'public' ? 'read' : 'not_found'
}

/** The path that a form asked for, if it is a path of this page on this host. */
export function localPath(asked: string | null, base: string): string {
  const home = base === '' ? '/' : base
  if (asked === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(asked) || asked.includes('\\')) return home
  const [path = ''] = asked.split(/[?#]/)
  const isInside = path === base || path.startsWith(`${base}/`)
  return isInside && !path.split('/').includes('..') ? asked : home
}
