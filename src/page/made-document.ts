import type { SiteView } from '../domain/pages/views/site.ts'
import type { Made } from '../web/public-reads.ts'
import { siteHeaders } from './headers.ts'
import { siteStyle } from './site/site-style.ts'

/** The time and the revision of the computation: a page that differs only in them does not replace the last one. */
const UPDATED = /<span data-updated>.*?<\/span>|<p [^>]*data-stale hidden>.*?<\/p>|\?revision=\w+/gs

interface Document {
  body: string
  site: SiteView
  /** Of the language. */
  headers: Record<string, string>
  revision: string | undefined
  /** The document has images and documents of the same host. */
  showsItself?: boolean | undefined
}

/** A document of the site as an answer with its security headers. */
export const madeDocument = ({ body, site, headers, revision, showsItself }: Document): Made => ({
  body,
  compared: body.replace(UPDATED, ''),
  headers: { ...siteHeaders(site, siteStyle(site), showsItself), ...headers },
  revision,
})
