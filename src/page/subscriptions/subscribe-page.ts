import { html } from '../markup.ts'
import { labels } from './labels.ts'
import { layout } from './layout.ts'

const words = labels.subscribe

/** The address of the form to subscribe, on every host. */
export const subscribePath = ({ public_slug }: { public_slug: string }) => `/status/${public_slug}/subscribe`

interface Subscribing {
  page: { name: string; public_slug: string }
  /** What was wrong with the form that was sent. */
  problem?: string
}

export function renderSubscribe({ page, problem }: Subscribing): string {
  const body = html`
    ${problem && html`<p class="card bar bad" role="alert">${problem}</p>`}
    <div class="card page">
      <p>${words.text}</p>
      <form method="post">
        <label class="over">${words.email}<input type="email" name="email" required maxlength="254" autocomplete="email"></label>
        <button>${words.button}</button>
      </form>
    </div>`
  return layout({ page, title: words.title, body })
}

export const renderSent = ({ page }: Subscribing): string =>
  layout({ page, title: words.sentTitle, body: html`<div class="card page"><p>${words.sent}</p></div>` })
