import type { PageRef } from '../kernel/context.ts'

/** A custom domain, then `{public_slug}.{BASE_DOMAIN}`, then the default page, which is the first one. */
export function pageOfHost(pages: PageRef[], host: string, baseDomain: string | undefined): PageRef | undefined {
  const name = hostname(host)
  const custom = pages.find((page) => page.custom_domains.includes(name))
  if (custom) return custom
  const suffix = baseDomain && `.${baseDomain.toLowerCase()}`
  if (suffix && name.endsWith(suffix)) {
    const slug = name.slice(0, -suffix.length)
    const named = pages.find((page) => page.public_slug === slug)
    if (named) return named
  }
  return pages.at(0)
}

export function hostname(host: string): string {
  const name = host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':')[0]
  return (name ?? '').toLowerCase().replace(/\.$/, '')
}

interface Base {
  baseUrl: string
  baseDomain: string | undefined
}

/** Where a page answers: at its custom domain, below the base domain, or by its slug on any host. */
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
