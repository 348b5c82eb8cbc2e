import type { Labels } from '../../languages/labels.ts'
import type { Branded } from '../branding.ts'
import { html, type Markup } from '../markup.ts'
import { layout } from './layout.ts'

/** The address of the form to subscribe, on every host. */
export const subscribePath = ({ public_slug }: { public_slug: string }) => `/status/${public_slug}/subscribe`

interface Subscribing {
  page: { public_slug: string }
  labels: Labels
  branded: Branded
  /** Of the form, which becomes the language of the mails. */
  language: string
  /** The name of the custom view that the subscription is for. */
  view?: string | undefined
  /** What was wrong with the form that was sent. */
  problem?: string
  languages: Markup | undefined
}

export function renderSubscribe({ page, labels, branded, language, view, problem, languages }: Subscribing): string {
  const { text } = labels
  const body = html`
    ${problem && html`<p class="card message bad" role="alert">${problem}</p>`}
    <div class="card page">
      <p>${text('subscription.subscribe.text')}</p>
      <form method="post">
        <input type="hidden" name="locale" value="${language}">
        <label class="over">${text('subscription.subscribe.email')}<input type="email" name="email" required maxlength="254" autocomplete="email"></label>
        <button>${text('subscription.subscribe.button')}</button>
      </form>
    </div>`
  const title = text('subscription.subscribe.title')
  return layout({ page, labels, branded, languages, title: view === undefined ? title : `${title}: ${view}`, body })
}

export function renderSent({ page, labels, branded }: Pick<Subscribing, 'page' | 'labels' | 'branded'>): string {
  const { text } = labels
  const body = html`<div class="card page"><p>${text('subscription.subscribe.sent')}</p></div>`
  return layout({ page, labels, branded, title: text('subscription.subscribe.sent_title'), body })
}
