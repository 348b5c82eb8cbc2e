import type { PageRef } from '../kernel/context.ts'

interface Asked {
  host: string
  baseDomain: string | undefined
}

/** The page with this custom domain, else the page of `{public_slug}.{BASE_DOMAIN}`. */
export function pageNamedByHost(pages: PageRef[], asked: Asked): PageRef | undefined {
  const name = hostname(asked.host)
  const slug = slugInHost(asked)
  return pages.find((page) => page.custom_domains.includes(name)) ?? pages.find((page) => page.public_slug === slug)
}

/** For a host that names no page: the page of the token, else the default page, which is the first one. */
export const pageOfToken = (pages: PageRef[], tokenPageId: number | undefined): PageRef | undefined =>
  pages.find((page) => page.id === tokenPageId) ?? pages.at(0)

/** The part of a host name before the base domain. */
export function slugInHost({ host, baseDomain }: Asked): string | undefined {
  const name = hostname(host)
  const suffix = baseDomain && `.${baseDomain.toLowerCase()}`
  return suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined
}

export function hostname(host: string): string {
  const name = host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':')[0]
  return (name ?? '').toLowerCase().replace(/\.$/, '')
}

interface Base {
  baseUrl: string
  baseDomain: string | undefined
}

/** The public address of a page, without a slash at the end. */
export const pageUrl = (page: PageRef, base: Base): string => addressesOf(page, base).public_url.replace(/\/$/, '')

/** The addresses of a page: its custom domain, its name below the base domain, or its slug on any host. */
export function addressesOf(page: PageRef, { baseUrl, baseDomain }: Base) {
  const base = new URL(baseUrl)
  const fallbackDomain = baseDomain ? `${page.public_slug}.${baseDomain}` : base.hostname
  const port = base.port ? `:${base.port}` : ''
  const fallbackUrl = baseDomain
    ? `${base.protocol}//${fallbackDomain}${port}/`
    : new URL(`/status/${page.public_slug}`, base).href
  const [custom] = page.custom_domains
  const customUrl = custom && `https://${custom}/`
  return {
    public_domain: custom ?? fallbackDomain,
    public_url: customUrl ?? fallbackUrl,
    fallback_domain: fallbackDomain,
    fallback_url: fallbackUrl,
    active_custom_domain: custom,
    active_custom_url: customUrl,
  }
}
