import type { EntityManager } from '@mikro-orm/postgresql'
import { LockMode } from '@mikro-orm/postgresql'
import { PageSettings } from '../../persistence/entities/page-settings.ts'
import type { Subject } from '../kernel/operation.ts'
import { filled, type Settings } from './schema.ts'

/** The settings of the current page with defaults, in one query. */
export async function settingsOf(tx: EntityManager): Promise<Settings> {
  const [kept] = await tx.findAll(PageSettings, { limit: 1 })
  return filled(kept?.values ?? {})
}

/** The stored settings of a page; a page without settings has no row. */
export interface StoredSettings {
  page_id: number
  values: Record<string, unknown>
  version: number
  updated_at: Date | null
}

export const settingsSubject: Subject<StoredSettings> = {
  kind: 'settings',
  external: false,
  singleton: true,
  id: (kept) => kept.page_id,
  snapshot: ({ values, version }) => ({ ...filled(values), version }),
  async find({ tx, page, now }, _ref, { lock }) {
    const kept = await tx.findOne(
      PageSettings,
      { page_id: page.id },
      lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {},
    )
    const untouched = { page_id: page.id, values: {}, version: 1 }
    if (kept || !lock) return kept ?? { ...untouched, updated_at: null }
    // Of two first writes at the same time, the slower one is retried and finds the row of the other.
    return tx.create(PageSettings, { ...untouched, updated_at: now })
  },
}
