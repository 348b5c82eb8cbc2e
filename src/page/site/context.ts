import type { SiteView } from '../../domain/pages/views/site.ts'
import { statusNameIn } from '../../domain/vocabulary/status-name-rules.ts'
import { type Labels, labelsFor } from '../../languages/labels.ts'
import { appearanceFinder, type StatusAppearance } from '../status-appearance.ts'
import { type Languages, languagesOf } from './languages.ts'
import type { Reading } from './times.ts'

/** Where a page is shown. */
export interface Place {
  /** Empty, or `/status/{public_slug}`. */
  base: string
  /** The path of this page below the base. */
  path: string
  /** The parameters that change this page, such as a month. */
  query?: Record<string, string>
  /** The absolute address of the front page, without a slash at the end. */
  url?: string
  /** The code of the custom view that is shown. */
  view?: string
  /** The revision of what is shown: a stream says at once if there is a newer one. */
  revision?: string | undefined
  /** Whether the page has the CSS of a preview, or an address whose preview has ended or is not valid. */
  preview?: 'shown' | 'ended'
}

/** What all parts of a page need to render. */
export interface SiteContext {
  site: SiteView
  place: Place
  labels: Labels
  text: Labels['text']
  reading: Reading
  languages: Languages
  look: (status: string) => StatusAppearance
  /** The address of a path of this page, in the language of this page. */
  link: (path: string, query?: Record<string, string>) => string
  /** This page in another language. */
  translated: (locale: string) => string
}

export function contextOf(site: SiteView, place: Place): SiteContext {
  const labels = labelsFor(site.language)
  const named = site.status_types.map((type) => ({ ...type, name: statusNameIn(labels, type.key, type.name) }))
  return {
    ...{ site, place, labels, text: labels.text },
    reading: { now: site.generated_at, locale: site.date_locale, zone: site.time_zone, language: labels.language },
    languages: languagesOf(site, labels),
    look: appearanceFinder(named, { labels, accessible: hasAccessibleColors(site) }),
    link: linksOf(site, place),
    translated: (locale) => `${pathOf(place)}?${new URLSearchParams({ ...place.query, locale })}`,
  }
}

export const hasAccessibleColors = ({ settings }: SiteView) =>
  settings.public_theme_profile.status_colors === 'accessible'

const pathOf = ({ base, path }: Place) => (path === '/' ? base || '/' : base + path)

/** Links keep the language while the page has several. */
function linksOf(site: SiteView, place: Place): SiteContext['link'] {
  const language: Record<string, string> = site.languages.length > 0 ? { locale: site.language } : {}
  const queryOf = (query: Record<string, string>) => {
    const parameters = new URLSearchParams({ ...language, ...query }).toString()
    return parameters === '' ? '' : `?${parameters}`
  }
  const usual = queryOf({})
  return (path, query) => pathOf({ ...place, path }) + (query ? queryOf(query) : usual)
}
