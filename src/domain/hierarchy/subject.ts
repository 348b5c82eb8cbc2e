import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { recordSubject } from '../kernel/subject.ts'
import { presentItem } from './presenter.ts'

export const itemSubject = recordSubject('item', HierarchyItem, (item) => presentItem(item, () => item.name), {
  external: true,
})
