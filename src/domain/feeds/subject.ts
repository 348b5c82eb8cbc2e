import { Feed } from '../../persistence/entities/feed.ts'
import { recordSubject } from '../kernel/subject.ts'
import { scopeOf } from './presenter.ts'

/** The fields of a feed that a change compares. */
const snapshot = (feed: Feed) => ({
  id: feed.id,
  name: feed.name,
  format: feed.format,
  scope: scopeOf(feed),
  locale: feed.locale,
  lifecycle_stage_ids: feed.lifecycle_stage_ids,
  kinds: feed.kinds,
  managers: feed.managers,
  enabled: feed.enabled,
  built_in: feed.built_in,
  version: feed.version,
})

export const feedSubject = recordSubject('feed', Feed, snapshot)
