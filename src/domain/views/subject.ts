import { CustomView } from '../../persistence/entities/custom-view.ts'
import { recordSubject } from '../kernel/subject.ts'

/** The fields of a view that a change compares. */
const snapshot = ({ page_id: _page, ...view }: CustomView) => ({
  ...view,
  items: view.items.map(({ id }) => id),
  expires_at: view.expires_at?.toISOString() ?? null,
  created_at: view.created_at.toISOString(),
  updated_at: view.updated_at.toISOString(),
})

export const viewSubject = recordSubject('view', CustomView, snapshot)
