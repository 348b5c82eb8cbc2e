import type { Orm } from '../orm.ts'

export interface DirectoryPage {
  id: number
  organization_id: number
  organization_slug: string
  page_slug: string
  public_slug: string
  name: string
  visibility: 'public' | 'private'
  custom_domains: string[]
}

/** Every page and the host names it answers to: a request does not know its page before this is read. */
export function allPages(system: Orm): Promise<DirectoryPage[]> {
  return system.em.fork().execute<DirectoryPage[]>(
    `select p.id, p.organization_id, o.slug as organization_slug, p.page_slug, p.public_slug, p.name, p.visibility,
        coalesce((select json_agg(d.hostname order by d.id) from managed_domain d
          where d.page_id = p.id and d.active), '[]'::json) as custom_domains
      from page p join organization o on o.id = p.organization_id order by p.id`,
  )
}
