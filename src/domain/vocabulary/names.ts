import type { EntityManager } from '@mikro-orm/postgresql'
import { labelsFor } from '../../languages/labels.ts'
import type { StatusType } from '../../persistence/entities/status-type.ts'
import type { StageWords } from '../../persistence/vocabulary.ts'
import type { Reading } from '../translations/languages.ts'
import { type Words, wordsFor } from '../translations/read.ts'
import { statusTypes } from './lookup.ts'
import { presentStage } from './presenter.ts'
import { stageNameIn, statusNameIn } from './status-name-rules.ts'

type Kind = 'incident' | 'maintenance'

/** Presents the stages of a kind in the language of a reader: in the words of the page, else of the catalogue. */
export function stagePresenter(kind: Kind, { language }: Reading, words: Words) {
  const labels = labelsFor(language)
  return (stage: StageWords) => ({
    ...presentStage(stage),
    name: stageNameIn(labels, kind, stage.name),
    ...words('lifecycle_stage', stage.id),
  })
}

/** The name of a status type in the language of a reader, in the same way. */
export function statusTypeNamer({ language }: Reading, words: Words) {
  const labels = labelsFor(language)
  return ({ id, key, name }: Pick<StatusType, 'id' | 'key' | 'name'>) =>
    words('status_type', id).name ?? statusNameIn(labels, key, name)
}

/** The status types with their names in the language of a reader. */
export async function statusTypesIn(tx: EntityManager, reading: Reading) {
  const types = await statusTypes(tx)
  const nameOf = statusTypeNamer(reading, await wordsFor(tx, reading, { status_type: types }))
  return types.map(({ key, is_operational, display_order, ...type }) => ({
    ...{ key, is_operational, display_order },
    name: nameOf({ ...type, key }),
  }))
}
