import type { Labels } from '../../languages/labels.ts'
import { html, type Markup } from '../markup.ts'
import { smallDocument } from '../small-document.ts'
import { subscriptionStyle } from './for-people.ts'

interface Layout {
  page: { name: string; public_slug: string }
  title: string
  labels: Labels
  body: Markup
}

/** A page of a subscriber, with the name of the status page above. */
export function layout({ page, title, labels, body }: Layout): string {
  const whole = html`<header><p class="soft"><bdi>${page.name}</bdi></p></header>
    <main><h1>${title}</h1>${body}</main>
    <footer><a href="/status/${page.public_slug}">${labels.text('subscription.subscribe.back')}</a></footer>`
  return smallDocument({
    title: `${title}: ${page.name}`,
    style: subscriptionStyle,
    body: whole,
    language: labels.language,
  })
}
