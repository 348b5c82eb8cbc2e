import { document } from '../html.ts'
import { html, type Markup } from '../markup.ts'
import { subscriptionStyle } from './for-people.ts'
import { labels } from './labels.ts'

interface Layout {
  page: { name: string; public_slug: string }
  title: string
  body: Markup
  /** A link to the status page, which not every reader may open. */
  home?: boolean
}

/** A page of a subscriber, with the name of the status page above. */
export function layout({ page, title, body, home = true }: Layout): string {
  const back = html`<footer><a href="/status/${page.public_slug}">${labels.subscribe.back}</a></footer>`
  const whole = html`<header><p class="soft"><bdi>${page.name}</bdi></p></header>
    <main><h1>${title}</h1>${body}</main>
    ${home && back}`
  return document({ title: `${title}: ${page.name}`, style: subscriptionStyle, body: whole })
}
