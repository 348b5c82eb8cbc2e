import type { EntityManager } from '@mikro-orm/postgresql'
import { ApiToken } from '../../persistence/entities/api-token.ts'
import { AuditEvent } from '../../persistence/entities/audit-event.ts'
import { Feed } from '../../persistence/entities/feed.ts'
import { HierarchyLevel } from '../../persistence/entities/hierarchy-level.ts'
import { LifecycleStage } from '../../persistence/entities/lifecycle-stage.ts'
import { Organization } from '../../persistence/entities/organization.ts'
import { Page } from '../../persistence/entities/page.ts'
import { StatusType } from '../../persistence/entities/status-type.ts'
import type { Orm } from '../../persistence/orm.ts'
import { inSystemTransaction } from '../../persistence/transactions.ts'
import { slugify } from '../hierarchy/rules.ts'
import type { Level } from '../kernel/permissions.ts'
import { makeToken } from '../tokens/secret.ts'
import {
  defaultIncidentStages,
  defaultLevels,
  defaultMaintenanceStages,
  defaultStatusTypes,
} from '../vocabulary/defaults.ts'
import { OPERATIONAL } from '../vocabulary/rules.ts'

/** Records that exist before any token: only the command line and the first start create them. */

export async function createOrganization(
  system: Orm,
  name: string,
  now: Date,
  slug = slugify(name),
): Promise<Organization> {
  return inSystemTransaction(system, async (tx) => tx.create(Organization, { name, slug, created_at: now }))
}

interface NewPage {
  organizationId: number
  name: string
  slug?: string
  publicSlug?: string
  now: Date
}

/** Creates a page with the default vocabulary and levels, and its feeds. */
export async function createPage(system: Orm, { organizationId, name, slug, publicSlug, now }: NewPage): Promise<Page> {
  return inSystemTransaction(system, async (em) => {
    const page_slug = slug ?? slugify(name)
    const page = em.create(Page, {
      organization_id: organizationId,
      name,
      page_slug,
      public_slug: publicSlug ?? page_slug,
      visibility: 'public',
      viewer_auth_mode: 'none',
      viewer_password_hash: null,
      viewer_session_key: '',
      version: 1,
      created_at: now,
      updated_at: now,
    })
    await em.flush()
    addDefaultVocabulary(em, page.id, now)
    addBuiltInFeeds(em, page.id, now)
    for (const level of defaultLevels) em.create(HierarchyLevel, { page_id: page.id, version: 1, ...level })
    return page
  })
}

const builtInFeeds = [
  { name: 'RSS', format: 'rss', kinds: ['incidents', 'maintenances'] },
  { name: 'Atom', format: 'atom', kinds: ['incidents', 'maintenances'] },
  { name: 'iCalendar', format: 'ics', kinds: ['maintenances'] },
] as const

function addBuiltInFeeds(em: EntityManager, page_id: number, now: Date): void {
  for (const { kinds, ...feed } of builtInFeeds) {
    em.create(Feed, {
      ...{ page_id, ...feed, scope_kind: 'page', item_ids: [], include_descendants: true, view_id: null, locale: null },
      ...{ lifecycle_stage_ids: [], kinds: [...kinds], managers: [], enabled: true, built_in: true },
      ...{ version: 1, created_at: now, updated_at: now },
    })
  }
}

function addDefaultVocabulary(em: EntityManager, page_id: number, now: Date): void {
  const common = { page_id, archived: false, version: 1, created_at: now, updated_at: now }
  defaultStatusTypes.forEach((type, index) => {
    em.create(StatusType, {
      ...common,
      ...type,
      is_operational: type.key === OPERATIONAL,
      weight_changed_at: null,
      display_order: index + 1,
    })
  })
  const stages = { incident: defaultIncidentStages, maintenance: defaultMaintenanceStages }
  for (const kind of ['incident', 'maintenance'] as const) {
    stages[kind].forEach((stage, index) => {
      em.create(LifecycleStage, { ...common, kind, ...stage, is_default: index === 0, display_order: index + 1 })
    })
  }
}

interface NewToken {
  pageId: number
  name: string
  permission: Level
  roleKey: string
  now: Date
}

/** Creates a token without the API. The value is returned once and not stored. */
export async function issueToken(system: Orm, { pageId, name, permission, roleKey, now }: NewToken): Promise<string> {
  const { token, prefix, hash } = makeToken()
  await inSystemTransaction(system, async (tx) => {
    const record = tx.create(ApiToken, {
      page_id: pageId,
      name,
      description: null,
      prefix,
      hash,
      permission,
      role_key: roleKey,
      iac_managed: false,
      version: 1,
      created_at: now,
      created_by: 'command line',
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      revoke_reason: null,
    })
    await tx.flush()
    tx.create(AuditEvent, {
      page_id: pageId,
      at: now,
      operation: 'tokens.create',
      actor_kind: 'system',
      actor_id: null,
      actor_name: 'command line',
      subject_kind: 'API token',
      subject_id: record.id,
      request_id: 'command line',
      before: null,
      after: { id: record.id, name, prefix, permission, role_key: roleKey },
    })
  })
  return token
}
