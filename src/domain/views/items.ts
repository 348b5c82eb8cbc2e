import type { EntityManager } from '@mikro-orm/postgresql'
import type { CustomView } from '../../persistence/entities/custom-view.ts'
import { scopedItems } from '../readers/scope.ts'

/** The present items of a view. */
export const itemsOfView = (tx: EntityManager, { items, include_descendants }: CustomView) =>
  scopedItems(
    tx,
    items.map(({ id }) => id),
    include_descendants,
  )
