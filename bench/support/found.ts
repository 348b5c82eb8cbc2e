import { createOrganization, createPage, issueToken } from '../../src/domain/pages/provision.ts'
import { SYSTEM_ROLE } from '../../src/persistence/entities/columns.ts'
import { openOrm } from '../../src/persistence/orm.ts'

/** One organization with one page, and a token that may report incidents on it, or do everything. */
export async function found(databaseUrl: string, reach: 'incidents' | 'all' = 'incidents'): Promise<string> {
  const system = await openOrm({ url: databaseUrl, role: SYSTEM_ROLE, poolMax: 1, name: 'upbeat-bench' })
  try {
    const now = new Date()
    const organization = await createOrganization(system, 'Bench', now)
    const page = await createPage(system, { organizationId: organization.id, name: 'Bench', now })
    const may =
      reach === 'all'
        ? ({ permission: 'admin', roleKey: 'page_admin' } as const)
        : ({ permission: 'write', roleKey: 'page_manager' } as const)
    const token = { pageId: page.id, name: 'bench', ...may, now }
    return await issueToken(system, token)
  } finally {
    await system.close(true)
  }
}
