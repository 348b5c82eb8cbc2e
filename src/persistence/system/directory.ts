import type { Orm } from '../orm.ts'
import { runUnprepared, type Statement, sql } from '../sql.ts'

export interface DirectoryPage {
  id: number
  organization_id: number
  organization_slug: string
  page_slug: string
  public_slug: string
  name: string
  visibility: 'public' | 'private'
  viewer_auth_mode: 'none' | 'password'
  viewer_password_configured: boolean
  viewer_session_key: string
  /** The links that had not expired when the pages were read, which is seldom longer than a second ago. */
  access_links: DirectoryLink[]
  custom_domains: string[]
}

interface DirectoryLink {
  id: number
  hash: string
  expires_at: string
}

export interface ListedPage extends DirectoryPage {
  /** Slugs that this page was the last to have, and that no page has now. */
  former_slugs: string[]
}

/** Every page and its host names, by which the page of a request is found. */
export const allPages = (system: Orm): Promise<ListedPage[]> => readPages(system, sql`true`)

export async function pageById(system: Orm, id: number): Promise<ListedPage> {
  const [page] = await readPages(system, sql`p.id = ${id}`)
  if (!page) throw new Error(`The page ${id} does not exist.`)
  return page
}

function readPages(system: Orm, only: Statement): Promise<ListedPage[]> {
  return runUnprepared<ListedPage>(
    system.em,
    sql`select p.id, p.organization_id, o.slug as organization_slug, p.page_slug, p.public_slug, p.name, p.visibility,
        p.viewer_auth_mode, p.viewer_password_hash is not null as viewer_password_configured, p.viewer_session_key,
        coalesce((select json_agg(json_build_object('id', l.id, 'hash', l.hash, 'expires_at', l.expires_at))
          from access_link l where l.page_id = p.id and l.expires_at > now()), '[]'::json) as access_links,
        coalesce((select json_agg(d.hostname order by d.id) from managed_domain d
          where d.page_id = p.id and d.active), '[]'::json) as custom_domains,
        coalesce((select json_agg(f.slug) from former_page_slug f where f.page_id = p.id
          and not exists (select 1 from page other where other.public_slug = f.slug)
          and not exists (select 1 from former_page_slug later where later.slug = f.slug
            and (later.retired_at, later.page_id) > (f.retired_at, f.page_id))), '[]'::json) as former_slugs
      from page p join organization o on o.id = p.organization_id where ${only} order by p.id`,
  )
}
