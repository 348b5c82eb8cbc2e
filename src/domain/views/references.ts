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
  /** A code, or the id. */
  view?: string | number | undefined
}

/** The view that a request names by its id, by a code, or by several of these, which must agree. `now`: only a view that readers get, by its code. */
export async function requireView(tx: EntityManager, named: Named, path: string, now?: Date): Promise<CustomView> {
  const ids = [named.view_id, named.view].filter((one) => typeof one === 'number')
  const codes = [named.code, named.view].filter((one) => typeof one === 'string')
  if (now !== undefined && codes.length === 0) throw invalid([{ path, message: 'must name the view by its code' }])
  const view = ids.length === 0 ? await viewByCode(tx, codes[0]!) : await tx.findOne(CustomView, { id: ids[0]! })
  const matches =
    view &&
    ids.every((id) => id === view.id) &&
    codes.every((code) => [view.short_code, view.alias].includes(code.toLowerCase()))
  if (matches && (now === undefined || isOffered(view, now))) return view
  throw invalid([{ path, message: 'names no view of this page' }])
}
