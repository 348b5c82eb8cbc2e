import type { EntityManager } from '@mikro-orm/postgresql'
import { CustomView } from '../../persistence/entities/custom-view.ts'
import { invalid } from '../kernel/errors.ts'
import { isOffered, isViewCode } from './rules.ts'

/** The view whose short code or alias this is, in any case of the letters. */
export async function viewByCode(tx: EntityManager, code: string): Promise<CustomView | null> {
  if (!isViewCode(code)) return null
  return tx.findOne(CustomView, { $or: [{ short_code: code.toLowerCase() }, { alias: code.toLowerCase() }] })
}

interface Named {
  view_id?: number | undefined
  code?: string | undefined
}

/** The view that a request names by its id, by a code, or by both. `now`: only a view that readers get, by its code. */
export async function requireView(
  tx: EntityManager,
  { view_id, code }: Named,
  path: string,
  now?: Date,
): Promise<CustomView> {
  if (now !== undefined && code === undefined) throw invalid([{ path, message: 'must name the view by its code' }])
  const view = view_id === undefined ? await viewByCode(tx, code!) : await tx.findOne(CustomView, { id: view_id })
  const matches = view && (code === undefined || [view.short_code, view.alias].includes(code.toLowerCase()))
  if (matches && (now === undefined || isOffered(view, now))) return view
  throw invalid([{ path, message: 'names no view of this page' }])
}
