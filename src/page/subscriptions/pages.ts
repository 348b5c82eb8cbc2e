import type { Problem } from '../../domain/kernel/errors.ts'
import { getOwnPreferences } from '../../domain/subscribers/public/preference-operations.ts'
import type { LinkDone, LinkResource, OwnPreferences } from '../../domain/subscribers/public/schema.ts'
import type { Labels } from '../../languages/labels.ts'
import { type Content, html } from '../markup.ts'
import type { ForPeople, Reader } from './for-people.ts'
import { layout } from './layout.ts'
import { renderManage } from './manage.ts'
import { readPreferences, withEntries } from './manage-fields.ts'
import { subscribePath } from './subscribe-page.ts'

interface Pages {
  /** What a GET shows: a question, which only the button of the page answers. */
  asking: ForPeople
  /** What a POST shows. */
  done: ForPeople
}

/** A form without an address is sent to the address of the page, which has the token. */
function ask(what: 'confirm' | 'unsubscribe') {
  return ({ page, subscriber }: LinkResource, { labels, branded }: Reader) =>
    layout({
      ...{ page, labels, branded },
      title: labels.text(`subscription.${what}.title`),
      body: html`<div class="card page">
        <p>${labels.text(`subscription.${what}.text`)}</p>
        <p class="address"><bdi>${subscriber.email}</bdi></p>
        <form method="post"><button>${labels.text(`subscription.${what}.button`)}</button></form>
      </div>`,
    })
}

export const confirmPages: Pages = {
  asking: { render: ask('confirm') },
  done: {
    form: 'ignored',
    render: ({ page, manage_url }: LinkDone, { labels, branded }: Reader) =>
      layout({
        ...{ page, labels, branded },
        title: labels.text('subscription.confirm.done'),
        body: html`<div class="card page">
          <p>${labels.text('subscription.confirm.done_text')}</p>
          ${manage_url && html`<p><a href="${manage_url}">${labels.text('subscription.confirm.preferences')}</a></p>`}
        </div>`,
      }),
  },
}

export const unsubscribePages: Pages = {
  asking: { render: ask('unsubscribe') },
  done: {
    form: 'ignored',
    render: ({ page }: LinkDone, { labels, branded }: Reader) =>
      layout({
        ...{ page, labels, branded },
        title: labels.text('subscription.unsubscribe.done'),
        body: html`<div class="card page">
          <p>${labels.text('subscription.unsubscribe.done_text')}</p>
          <p><a href="${subscribePath(page)}">${labels.text('subscription.unsubscribe.again')}</a></p>
        </div>`,
      }),
  },
}

export const managePages: Pages = {
  asking: { render: (view: OwnPreferences, reader: Reader) => renderManage(view, reader) },
  done: {
    form: readPreferences,
    render: (view: OwnPreferences, reader: Reader) =>
      renderManage(view, reader, { note: reader.labels.text('subscription.manage.saved') }),
    again: {
      operation: getOwnPreferences,
      render: (view: OwnPreferences, reader: Reader, { fields, problem }) =>
        renderManage(withEntries(view, fields), reader, { problem: problemIn(problem, reader.labels) }),
    },
  },
}

/** A mistake without a label has the sentence of the API, which is English. */
function problemIn({ message, details }: Problem, { has, text }: Labels): Content {
  const label = String(details.label)
  return has(label) ? text(label) : html`${text('notice.invalid_request')}: <span lang="en" dir="ltr">${message}</span>`
}
