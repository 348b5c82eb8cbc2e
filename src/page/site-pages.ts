import type { Context } from 'koa'
import { type EmbedView, getEmbeds } from '../domain/embeds/read.ts'
import { Problem } from '../domain/kernel/errors.ts'
import type { AnyOperation } from '../domain/kernel/operation.ts'
import { type ArchivePage, getArchivePage } from '../domain/pages/views/archive.ts'
import { getHome, type PageView } from '../domain/pages/views/home.ts'
import { getItemPage, type ItemPage } from '../domain/pages/views/item-page.ts'
import { isMonth } from '../domain/pages/views/month-rules.ts'
import {
  getIncidentPage,
  getMaintenancePage,
  type IncidentPage,
  type MaintenancePage,
} from '../domain/pages/views/record-pages.ts'
import { getSearchPage, type SearchPage } from '../domain/pages/views/search-page.ts'
import { renderEmbedGuide } from './embeds/guide.ts'
import { renderHome } from './home/home.ts'
import { renderItemPage } from './items/item-page.ts'
import { renderArchive } from './records/archive.ts'
import { renderIncidentPage, renderMaintenancePage } from './records/record-page.ts'
import { renderSearch } from './records/search.ts'
import type { Place } from './site/context.ts'

/** A page of the site: the operation that reads its data, and its rendering. */
export interface SitePage {
  path: string
  operation: AnyOperation
  /** The parameters of the query that change the page; all others are ignored, because people follow links of others. */
  parameters?: (query: Context['query']) => Record<string, string>
  /** The fields of the input of the operation, from these parameters. */
  input?: (parameters: Record<string, string>) => Record<string, unknown>
  render: (output: never, place: Place, parameters: Record<string, string>) => string
  /** Shows images and documents of the page itself. */
  showsItself?: boolean
}

const only = (query: Context['query'], name: string, isValid: (value: string) => boolean): Record<string, string> => {
  const value = query[name]
  return typeof value === 'string' && isValid(value) ? { [name]: value } : {}
}

function requireMonth(month: string | string[]): string {
  if (typeof month === 'string' && isMonth(month)) return month
  throw new Problem('not_found', 'There is no such month.')
}

const SEARCH_LENGTH = 200

/** Without control characters, which no text of the page has. */
const wordsIn = (query: string) => query.replace(/\p{Cc}/gu, ' ').trim()

export const sitePages: SitePage[] = [
  {
    path: '/',
    operation: getHome,
    parameters: (query) => ({
      ...only(query, 'view', (view) => view === 'tree' || view === 'basic'),
      ...only(query, 'items', (items) => items === 'all'),
    }),
    input: () => ({}),
    render: (output: PageView, place, { view, items }) => renderHome(output, place, { view, all: items === 'all' }),
  },
  {
    path: '/incidents/:id',
    operation: getIncidentPage,
    render: (output: IncidentPage, place) => renderIncidentPage(output, place),
  },
  {
    path: '/maintenances/:id',
    operation: getMaintenancePage,
    render: (output: MaintenancePage, place) => renderMaintenancePage(output, place),
  },
  { path: '/items/:id', operation: getItemPage, render: (output: ItemPage, place) => renderItemPage(output, place) },
  {
    path: '/history',
    operation: getArchivePage,
    parameters: ({ month = '' }) => (month === '' ? ({} as Record<string, string>) : { month: requireMonth(month) }),
    render: (output: ArchivePage, place) => renderArchive(output, place),
  },
  {
    path: '/search',
    operation: getSearchPage,
    parameters: (query) => only(query, 'q', (words) => wordsIn(words) !== '' && words.length <= SEARCH_LENGTH),
    input: ({ q = '' }) => ({ query: wordsIn(q) }),
    render: (output: SearchPage, place) => renderSearch(output, place),
  },
  {
    path: '/embed',
    operation: getEmbeds,
    render: (output: EmbedView, place) => renderEmbedGuide(output, place),
    showsItself: true,
  },
]
