import { isSecretName, REDACTED, shownUrl } from '../../../outbound/secret-rules.ts'
import type { Assertion } from '../types/assertion.ts'
import { hideValues, withValues } from './assertion-secret-rules.ts'

/** The secrets of a target by their paths, such as `headers/Authorization`. */
export type Parts = Record<string, string>

type Json = Record<string, unknown>

/** Splits a target into its visible part and its secrets. */
export function splitSecrets(target: object): { shown: Json; secrets: Parts } {
  const shown: Json = { ...target }
  const secrets: Parts = {}
  const { url, headers, client_certificate, assertions } = target as {
    url?: string
    headers?: Parts
    client_certificate?: Parts
    assertions?: Assertion[]
  }
  if (url !== undefined && shownUrl(url) !== URL.parse(url)?.href) {
    secrets.url = url
    shown.url = shownUrl(url)
  }
  if (headers) shown.headers = hide(headers, 'headers', isSecretName, secrets)
  if (client_certificate) {
    shown.client_certificate = hide(client_certificate, 'client_certificate', (name) => name === 'key', secrets)
  }
  if (assertions) shown.assertions = hideValues(assertions, secrets)
  return { shown, secrets }
}

function hide(fields: Parts, path: string, isSecret: (name: string) => boolean, secrets: Parts): Parts {
  const entries = Object.entries(fields).map(([name, value]) => {
    if (!isSecret(name) || value === '') return [name, value]
    secrets[`${path}/${name}`] = value
    return [name, REDACTED]
  })
  return Object.fromEntries(entries)
}

/** Puts the secrets back in the place of their masks. A header with a new value keeps that value. */
export function mergeSecrets(shown: Json, secrets: Parts): Json {
  const whole: Json = structuredClone(shown)
  if (Array.isArray(whole.assertions)) whole.assertions = withValues(whole.assertions, secrets)
  for (const [path, value] of Object.entries(secrets)) {
    if (path.startsWith('assertions/')) continue
    const [field = '', name] = path.split('/', 2) as [string, string?]
    if (name === undefined) {
      if (whole[field] === shownUrl(value)) whole[field] = value
      continue
    }
    const fields = whole[field] as Parts | undefined
    if (fields?.[name] === REDACTED) fields[name] = value
  }
  return whole
}

/** Whether a target of a request contains a mask. */
export const hasMask = (target: Json): boolean => JSON.stringify(target).includes(REDACTED)
