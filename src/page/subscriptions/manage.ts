import type { OwnPreferences } from '../../domain/subscribers/public/schema.ts'
import type { Labels } from '../../languages/labels.ts'
import { type Content, html, type Markup } from '../markup.ts'
import type { Reader } from './for-people.ts'
import { kindGroups } from './kinds.ts'
import { layout } from './layout.ts'
import { fieldNames, type Part } from './manage-fields.ts'
import { subscribePath } from './subscribe-page.ts'

type Text = Labels['text']
type Items = OwnPreferences['choices']['items']

const none: Part = { scope: { kind: 'page' }, event_kinds: [], enabled: true }

type Shown = Omit<OwnPreferences, 'subscriptions'> & { subscriptions: Part[] }

/** What was saved, or what was wrong with the entries. */
interface Answer {
  note?: string
  problem?: Content
}

/** The form of the preferences, which works without scripts. */
export function renderManage(view: Shown, { labels, branded }: Reader, { note, problem }: Answer = {}): string {
  const { text } = labels
  const { page, subscriber, subscriptions, choices, unsubscribe_url } = view
  const parts: Part[] = subscriptions.length > 0 ? subscriptions : [none]
  const isActive = subscriber.state === 'active'
  const body = html`
    ${note && html`<p class="card message" role="status">${note}</p>`}
    ${problem && html`<p class="card message bad" role="alert">${problem}</p>`}
    ${!isActive && html`<p class="card message">${text('subscription.manage.not_active')} <a href="${subscribePath(page)}">${text('subscription.unsubscribe.again')}</a></p>`}
    <div class="card page">
    <p class="address"><bdi>${subscriber.email}</bdi></p>
    <form method="post">
      <input type="hidden" name="${fieldNames.parts}" value="${parts.length}">
      ${parts.map((part, index) => renderPart(part, { index, count: parts.length, items: choices.items, text }))}
      ${frequency(subscriber.frequency, text)}
      ${language(view, text)}
      ${timeZone(subscriber.time_zone, text)}
      <button>${text('subscription.manage.save')}</button>
    </form>
    ${isActive && html`<form class="apart" method="post" action="${pathOf(unsubscribe_url)}"><button class="quiet">${text('subscription.manage.leave')}</button></form>`}
    </div>`
  return layout({ page, labels, branded, title: text('subscription.manage.title'), body })
}

/** The form goes to the host of this page, which its policy permits. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

interface Place {
  index: number
  count: number
  items: Items
  text: Text
}

function renderPart({ id, scope, event_kinds, enabled }: Part, { index, count, items, text }: Place): Markup {
  const chosen = new Set(scope.items?.map((item) => item.id))
  const isForItems = scope.kind === 'items'
  const scopeName = fieldNames.scope(index)
  const ofView = html`${radio(scopeName, 'view', { checked: scope.kind === 'view', label: scope.name ?? '' })}<input type="hidden" name="${fieldNames.view(index)}" value="${scope.view_id}">`
  const choice = html`
    ${scope.view_id !== undefined && ofView}
    ${radio(scopeName, 'page', { checked: scope.kind === 'page', label: text('subscription.manage.whole_page') })}
    ${radio(scopeName, 'items', { checked: isForItems, label: text('subscription.manage.items') })}
    <div class="tree-of">
      ${items.map(({ id: item, name, depth }) => checkbox(fieldNames.items(index), item, { checked: chosen.has(item), label: name, depth }))}
    </div>`
  return html`
    ${count > 1 && html`<h2>${text('subscription.manage.part', { number: index + 1 })}</h2>`}
    ${id !== undefined && html`<input type="hidden" name="${fieldNames.id(index)}" value="${id}">`}
    ${
      enabled
        ? html`<input type="hidden" name="${fieldNames.enabled(index)}" value="on">`
        : checkbox(fieldNames.enabled(index), 'on', { checked: false, label: text('subscription.manage.enabled') })
    }
    <fieldset><legend>${text('subscription.manage.scope')}</legend>
      ${items.length > 0 ? choice : html`<p>${text('subscription.manage.whole_page')}</p><input type="hidden" name="${scopeName}" value="page">`}
    </fieldset>
    <fieldset><legend>${text('subscription.manage.kinds')}</legend>
      ${kindGroups.map(
        ({ group, kinds }) => html`<fieldset><legend>${text(`subscription.manage.${group}`)}</legend>
          ${kinds.map((kind) => checkbox(fieldNames.kinds(index), kind, { checked: event_kinds.includes(kind), label: text(`subscription.kind.${kind}`) }))}
        </fieldset>`,
      )}
    </fieldset>`
}

interface Choice {
  checked: boolean
  label: string
  depth?: number
}

const DEEPEST = 5

const checkbox = (name: string, value: string | number, { checked, label, depth = 1 }: Choice): Markup =>
  html`<label${depth > 1 && html` class="d${Math.min(depth, DEEPEST) - 1}"`}><input type="checkbox" name="${name}" value="${value}"${checked && html` checked`}><bdi>${label}</bdi></label>`

const radio = (name: string, value: string, { checked, label }: Choice): Markup =>
  html`<label><input type="radio" name="${name}" value="${value}"${checked && html` checked`}>${label}</label>`

const frequency = (
  current: string,
  text: Text,
): Markup => html`<fieldset><legend>${text('subscription.manage.frequency')}</legend>
  ${radio(fieldNames.frequency, 'immediate', { checked: current === 'immediate', label: text('subscription.manage.immediate') })}
  ${radio(fieldNames.frequency, 'daily', { checked: current === 'daily', label: text('subscription.manage.daily') })}
</fieldset>`

function language({ choices: { locales }, subscriber: { locale } }: Shown, text: Text): Markup {
  const all = [
    { value: '', name: text('subscription.manage.language_of_page') },
    ...locales.map((tag) => ({ value: tag, name: nameOf(tag) })),
  ]
  return select(fieldNames.locale, text('subscription.manage.language'), all, locale)
}

/** The name of a language in the language itself. */
const nameOf = (tag: string) => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag

const zones = Intl.supportedValuesOf('timeZone')

function timeZone(current: string | null, text: Text): Markup {
  const known = current === null || zones.includes(current) ? zones : [current, ...zones]
  const all = [
    { value: '', name: text('subscription.manage.time_zone_of_page') },
    ...known.map((zone) => ({ value: zone, name: zone })),
  ]
  return select(fieldNames.time_zone, text('subscription.manage.time_zone'), all, current)
}

function select(name: string, label: string, all: { value: string; name: string }[], current: string | null): Markup {
  const option = (one: (typeof all)[number]) =>
    html`<option value="${one.value}"${one.value === (current ?? '') && html` selected`}>${one.name}</option>`
  return html`<label class="over">${label}<select name="${name}">${all.map(option)}</select></label>`
}
