import type { LinkDone, LinkResource, OwnPreferences } from '../../domain/subscribers/public/schema.ts'
import { html } from '../markup.ts'
import type { ForPeople } from './for-people.ts'
import { labels } from './labels.ts'
import { layout } from './layout.ts'
import { renderManage } from './manage.ts'
import { readPreferences } from './manage-fields.ts'
import { subscribePath } from './subscribe-page.ts'

interface Pages {
  /** What a GET shows: a question, which only the button of the page answers. */
  asking: ForPeople
  /** What a POST shows. */
  done: ForPeople
}

/** A form without an address is sent to the address of the page, which has the token. */
function ask(words: { title: string; text: string; button: string }) {
  return ({ page, subscriber }: LinkResource) =>
    layout({
      page,
      title: words.title,
      body: html`<div class="card page">
        <p>${words.text}</p>
        <p class="address"><bdi>${subscriber.email}</bdi></p>
        <form method="post"><button>${words.button}</button></form>
      </div>`,
    })
}

export const confirmPages: Pages = {
  asking: { render: ask(labels.confirm) },
  done: {
    form: 'ignored',
    render: ({ page, manage_url }: LinkDone) =>
      layout({
        page,
        title: labels.confirm.done,
        body: html`<div class="card page">
          <p>${labels.confirm.doneText}</p>
          ${manage_url && html`<p><a href="${manage_url}">${labels.confirm.preferences}</a></p>`}
        </div>`,
      }),
  },
}

export const unsubscribePages: Pages = {
  asking: { render: ask(labels.unsubscribe) },
  done: {
    form: 'ignored',
    render: ({ page }: LinkDone) =>
      layout({
        page,
        title: labels.unsubscribe.done,
        body: html`<div class="card page">
          <p>${labels.unsubscribe.doneText}</p>
          <p><a href="${subscribePath(page)}">${labels.unsubscribe.again}</a></p>
        </div>`,
      }),
  },
}

export const managePages: Pages = {
  asking: { render: (view: OwnPreferences) => renderManage(view) },
  done: { form: readPreferences, render: (view: OwnPreferences) => renderManage(view, labels.manage.saved) },
}
