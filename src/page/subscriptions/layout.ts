import type { Labels } from '../../languages/labels.ts'
import type { Branded } from '../branding.ts'
import { html, type Markup } from '../markup.ts'
import { smallDocument } from '../small-document.ts'

interface Layout {
  page: { public_slug: string }
  title: string
  labels: Labels
  branded: Branded
  body: Markup
  /** Links to the page in other languages. */
  languages?: Markup | undefined
}

/** A page of a subscriber, with the logo and the title of the status page above. */
export function layout({ page, title, labels, branded, body, languages }: Layout): string {
  const { header, style, theme, icon } = branded
  const whole = html`${header}
    <main><h1>${title}</h1>${body}</main>
    <footer><a href="/status/${page.public_slug}${languages && `?locale=${labels.language}`}">${labels.text('subscription.subscribe.back')}</a>${languages}</footer>`
  return smallDocument({
    ...{ style, theme, icon, body: whole },
    title: `${title}: ${branded.title}`,
    language: labels.language,
  })
}
