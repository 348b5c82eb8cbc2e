import type { PageRef } from '../domain/kernel/context.ts'
import { hostname } from '../domain/pages/rules.ts'

interface Service {
  baseUrl: string
  baseDomain: string | undefined
}

/** Whether a web page of this origin belongs to the service: to its base address, or to the page of the token. */
export function isOwnOrigin(origin: string, { baseUrl, baseDomain }: Service, page?: PageRef): boolean {
  if (!URL.canParse(origin)) return false
  const { host, protocol } = new URL(origin)
  if (origin === new URL(baseUrl).origin) return true
  if (!page || !['http:', 'https:'].includes(protocol)) return false
  const name = hostname(host)
  return (
    page.custom_domains.includes(name) ||
    (baseDomain !== undefined && name === `${page.public_slug}.${baseDomain}`.toLowerCase())
  )
}
