import { describe, expect, test } from '@jest/globals'
import { render } from '../../../src/domain/notifications/channels/email/render-rules.ts'
import { languages } from '../../../src/languages/labels.ts'
import { incident, mailAbout, messageOf, notificationOf, page, samples } from './samples.ts'

const headersOf = (message: Parameters<typeof render>[0]) => render(message).headers ?? {}

test.each([
  ['incident.created', 'New incident: Search answers slowly', 'Neue Störung: Search answers slowly'],
  ['incident.updated', 'Incident updated: Search answers slowly', 'Neuigkeiten zur Störung: Search answers slowly'],
  ['incident.resolved', 'Incident resolved: Search answers slowly', 'Störung behoben: Search answers slowly'],
  [
    'incident.reminder',
    'Reminder: incident still open: Search answers slowly',
    'Erinnerung: Störung noch offen: Search answers slowly',
  ],
  [
    'incident.long_running',
    'Incident without update for a long time: Search answers slowly',
    'Störung lange ohne Neuigkeit: Search answers slowly',
  ],
  ['maintenance.scheduled', 'Maintenance scheduled: Database upgrade', 'Wartung geplant: Database upgrade'],
  ['maintenance.updated', 'Maintenance updated: Database upgrade', 'Wartung geändert: Database upgrade'],
  ['maintenance.reminder', 'Maintenance starts soon: Database upgrade', 'Wartung beginnt bald: Database upgrade'],
  ['maintenance.started', 'Maintenance started: Database upgrade', 'Wartung begonnen: Database upgrade'],
  ['maintenance.completed', 'Maintenance completed: Database upgrade', 'Wartung abgeschlossen: Database upgrade'],
  ['maintenance.cancelled', 'Maintenance cancelled: Database upgrade', 'Wartung abgesagt: Database upgrade'],
  [
    'maintenance.overrun',
    'Maintenance not over after its end: Database upgrade',
    'Wartung nach geplantem Ende nicht beendet: Database upgrade',
  ],
  ['series.rescheduled', 'Maintenance dates changed: Patch day', 'Wartungstermine geändert: Patch day'],
  ['item.status_changed', 'Search: Degraded', 'Search: Beeinträchtigt'],
  ['beat.stage_changed', 'Beat Search API: Critical', 'Beat Search API: Kritisch'],
  ['beat.review_requested', 'Review requested: Search API', 'Freigabe erbeten: Search API'],
  ['subscription.confirm', 'Confirm your subscription to Acme', 'Abonnement von Acme bestätigen'],
  ['subscription.manage', 'Change your subscription to Acme', 'Abonnement von Acme ändern'],
  ['subscription.test', 'Test message of Acme', 'Testnachricht von Acme'],
])('%s has the subject "%s"', (key, english, german) => {
  expect(render(mailAbout(key)).subject).toBe(english)
  expect(render(mailAbout(key, { locale: 'de-AT' })).subject).toBe(german)
})

test('a maintenance that ends soon has its own subject', () => {
  const before = notificationOf('maintenance.reminder', { data: { reminder: 'before_end' } })
  expect(render(messageOf([before])).subject).toBe('Maintenance ends soon: Database upgrade')
})

test.each(Object.keys(languages).flatMap((locale) => Object.keys(samples).map((key) => [locale, key] as const)))(
  'in %s, HTML and text of %s have the same words and no placeholder',
  (locale, key) => {
    const { text = '', html = '', subject = '' } = render(mailAbout(key, { locale }))
    expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
    expect([subject, text, plain(html)].join('\n')).not.toMatch(/[{}]|undefined|null|NaN/)
    const lines = text.split('\n').filter((line) => line !== '-- ' && /[^=-]/.test(line))
    const words = plain(html).replace(/\s+/g, ' ')
    for (const line of lines) {
      const label = line.replace(/^- /, '').replace(/: ?(https?:.*)?$/, '')
      for (const part of label.split(': ')) expect(words).toContain(part.trim().replace(/^https:.*/, ''))
    }
  },
)

/** What a person reads of the HTML. */
const plain = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<\/?bdi>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')

test.each(['incident.updated', 'subscription.confirm'])(
  'in %s, names keep their direction in Arabic sentences',
  (key) => {
    const { html = '', text = '' } = render(mailAbout(key, { locale: 'ar' }, { site_title: '<Status>' }))
    const sentences = html.match(/<(p|div)[^>]* dir="auto">[^\n]*?&lt;Status&gt;/g) ?? []
    expect(sentences.length).toBeGreaterThan(0)
    for (const sentence of sentences) expect(sentence).toContain('<bdi>&lt;Status&gt;')
    expect(text).not.toMatch(/[\u2066-\u2069]/)
  },
)

test('the plain text reads well', () => {
  expect(render(mailAbout('incident.updated')).text).toBe(`Acme

Incident updated: Search answers slowly
=======================================

Partial outage · Identified

A replica is down.
We are adding another one.

Started: 29 Mar 2026, 10:30 CEST
Impact: Searches in the web shop

Affected:
- Search

Open the incident:
https://status.acme.test/incidents/12

-- 
You receive this mail because Ann@example.com is subscribed to Acme.
Times are in the time zone Europe/Berlin.
Change the subscription: https://status.acme.test/api/v1/subscriptions/manage?token=m
Unsubscribe: https://status.acme.test/api/v1/subscriptions/unsubscribe?token=u
`)
})

test.each([
  ['en-US', 'America/New_York', 'Mar 29, 2026, 04:30 AM EDT'],
  ['en', 'UTC', '29 Mar 2026, 08:30 UTC'],
  ['de', 'Europe/Berlin', '29. März 2026, 10:30 MESZ'],
  ['ja', 'Asia/Tokyo', '2026年3月29日 17:30 JST'],
])('a reader of %s in %s reads %s', (locale, time_zone, written) => {
  expect(render(mailAbout('incident.created', { locale, time_zone })).text).toContain(written)
})

test('a mail about the dates of a series names the next three, and counts the others', () => {
  expect(render(mailAbout('series.rescheduled', { locale: 'de' })).text).toContain(`Nächste Termine:
- 3. Apr. 2026, 00:00 MESZ
- 10. Apr. 2026, 00:00 MESZ
- 17. Apr. 2026, 00:00 MESZ
- und 2 weitere
`)
  const ended = notificationOf('series.rescheduled', { data: { status: 'ended', cancelled: 2 } })
  expect(render(messageOf([ended])).text).not.toContain('Next dates')
})

test('the words of a translation replace those of the record, also of a more general language', () => {
  const notification = notificationOf('incident.updated')
  notification.content.translations = {
    record: [{ locale: 'de', values: { title: 'Suche langsam' } }],
    update: [
      { locale: 'de', values: { message: 'Eine Kopie fehlt.' } },
      { locale: 'fr', values: { message: 'Une copie manque.' } },
    ],
  }
  const { subject, text } = render(messageOf([notification], { locale: 'de-CH' }))
  expect(subject).toBe('Neuigkeiten zur Störung: Suche langsam')
  expect(text).toContain('Eine Kopie fehlt.')
  expect(render(messageOf([notification], { locale: 'en' })).subject).toBe('Incident updated: Search answers slowly')
})

test('the names of items, statuses, stages and of the page are in the language of the mail', () => {
  const notification = notificationOf('incident.updated')
  const german = (name: string) => [{ locale: 'de', values: { name } }]
  const lifecycle_stage = { id: 3, name: 'Identified' }
  Object.assign(notification.content.update!, { lifecycle_stage, status: 'degraded' })
  notification.content.translations.names = {
    items: { 5: german('Suche') },
    statuses: { degraded: german('Angeschlagen') },
    stages: { 3: german('Erkannt') },
    page: [{ locale: 'de', values: { site_title: 'Firma' } }],
  }
  const mail = (locale: string) => render(messageOf([notification], { locale })).text
  const words = ['Suche', 'Angeschlagen · Erkannt', 'Firma']
  expect(words.filter((one) => mail('de')?.includes(one))).toEqual(words)
  const english = ['Search', 'Degraded · Identified', 'Acme']
  expect(english.filter((one) => mail('en')?.includes(one))).toEqual(english)
  notification.content.translations.names.stages = {}
  expect(mail('de')).toContain('Angeschlagen · Ursache gefunden')
})

describe('links to the status page', () => {
  const shownAt =
    (url: string, languages?: object, view_code?: string) =>
    (key: string, locale = 'en') => {
      const notification = notificationOf(key)
      Object.assign(notification.content, { languages, view_code, page: { ...page, url } })
      const { html = '', text = '' } = render(messageOf([notification], { locale }))
      const hrefs = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, href]) => href)
      return {
        heading: hrefs(/<h1[^>]*><a [^>]*href="([^"]*)"/g),
        button: hrefs(/<a class="button" href="([^"]*)"/g),
        title: hrefs(/<td class="title"[^>]*><a [^>]*href="([^"]*)"/g),
        text: text.split('\n').find((line) => line.startsWith('http')),
      }
    }
  const two = { original: 'en', offered: ['en', 'de'] }

  test.each([
    ['incident.created', 'en', 'https://a.test/incidents/12', 'https://a.test/'],
    ['incident.long_running', 'de', 'https://a.test/incidents/12?locale=de', 'https://a.test/?locale=de'],
    ['maintenance.started', 'de-AT', 'https://a.test/maintenances/8?locale=de', 'https://a.test/?locale=de'],
    ['maintenance.started', 'fr', 'https://a.test/maintenances/8', 'https://a.test/'],
  ])('a mail of %s in %s leads to %s', (key, locale, record, front) => {
    const found = shownAt('https://a.test/', two)(key, locale)
    expect(found).toEqual({ heading: [record], button: [record], title: [front], text: record })
  })

  test('of a page below a path, in one language', () => {
    const { button } = shownAt('https://a.test/status/acme', { original: 'en', offered: [] })('incident.created', 'de')
    expect(button).toEqual(['https://a.test/status/acme/incidents/12'])
  })

  test('lead to the front for subjects without a page of a record', () => {
    const { heading, button } = shownAt('https://a.test/', two)('series.rescheduled')
    expect([heading, button]).toEqual([[], ['https://a.test/']])
  })

  test('lead to the view for a subscriber of views alone', () => {
    const view = 'https://a.test/v/sales?locale=de'
    const found = shownAt('https://a.test/', two, 'sales')('incident.created', 'de')
    expect(found).toEqual({ heading: [], button: [view], title: [view], text: view })
  })

  test('lead to each record of a daily mail', () => {
    const { text = '', html = '' } = render(
      messageOf(['incident.created', 'maintenance.started'].map((key) => notificationOf(key))),
    )
    for (const path of ['incidents/12', 'maintenances/8', '']) {
      expect(text).toContain(`:\nhttps://status.acme.test/${path}\n`)
      expect(html).toContain(`href="https://status.acme.test/${path}"`)
    }
  })
})

test('a message in Markdown is formatted in HTML, readable as text, and without marks in the preview', () => {
  const message = [
    'Please **sign in** _again_, see [the help](https://acme.test/help?a=1&b=2) and `retry`:',
    '1. first\n2. second',
    '# Heading',
    '```\nGET /x\n```',
    '> quoted',
  ].join('\n\n')
  const { html = '', text = '' } = render(messageOf([notificationOf('incident.updated', { update: { message } })]))
  expect(html).toContain('<strong>sign in</strong> <em>again</em>')
  expect(html).toMatch(/<a style="[^"]*" href="https:\/\/acme.test\/help\?a=1&amp;b=2" rel="[^"]*">the help<\/a>/)
  expect(html).toMatch(/<code style="[^"]*">retry<\/code>/)
  expect(html).toMatch(/<ol style="[^"]*">\s*<li>first<\/li>\s*<li>second<\/li>/)
  expect(html).toContain('<b>Heading</b>')
  expect(html).toMatch(/<blockquote style="[^"]*">/)
  expect(text).toContain(message)
  const [, preview] = /max-height:0;overflow:hidden">([^&]*)/.exec(html)!
  expect(preview).toBe('Please sign in again, see the help and retry: first second Heading GET /x quoted')
})

test('only texts of users are Markdown', () => {
  const shown_address = 'a_b_c@example.com'
  const { html } = render(mailAbout('subscription.confirm', { shown_address }, { site_title: '*Acme*' }))
  expect(html).toContain('*Acme*')
  expect(html).toContain(shown_address)
})

test.each([
  ['<img src=x onerror=alert(1)>', /<img/],
  ['![logo](https://eve.test/pixel.png)', /<img/],
  ['[x](javascript:alert(1)) <javascript:alert(1)>', /href="javascript/],
  ['[x](data:text/html,x)', /href="data/],
  ['[x](https://eve.test/"onmouseover="alert(1))', /"onmouseover/],
  ['```"><script>alert(1)</script>\nx\n```', /<script/],
  ['<a href="https://eve.test">x</a>', />x<\/a>/],
])('hostile Markdown %s stays text', (message, forbidden) => {
  const { html } = render(messageOf([notificationOf('incident.updated', { update: { message } })]))
  expect(html).not.toMatch(forbidden)
})

test('a late message names its due moment and the messages that it replaces', () => {
  const notification = notificationOf('incident.reminder')
  Object.assign(notification.event, { late: true, missed: 3 })
  expect(render(messageOf([notification])).text).toContain(
    'This message is late: it was due at 29 Mar 2026, 11:00 CEST. It replaces 3 messages that were due before.',
  )
})

test('a daily mail has each notification once, under one subject and outside the threads', () => {
  const message = messageOf(['incident.created', 'maintenance.reminder'].map((key) => notificationOf(key)))
  const { subject, text, headers } = render(message)
  expect(subject).toBe('Daily summary of Acme')
  expect(text).toContain('New incident: Search answers slowly')
  expect(text).toContain('Maintenance starts soon: Database upgrade')
  expect(text?.match(/Open the status page/g)).toHaveLength(1)
  expect(headers).not.toHaveProperty('In-Reply-To')
})

test('the brand gives title, logo and colours, and text on every colour is legible', () => {
  const settings = {
    site_title: 'Acme Status',
    logo_url: 'https://cdn.acme.test/logo.png',
    logo_url_dark: 'https://cdn.acme.test/dark.png',
    brand_color_light: '#ffd43b',
    brand_color_dark: '#1864ab',
  }
  const html = render(mailAbout('incident.created', {}, settings)).html ?? ''
  expect(html).toContain('src="https://cdn.acme.test/logo.png" alt="Acme Status"')
  expect(html).toContain('src="https://cdn.acme.test/dark.png" alt="Acme Status"')
  expect(html).toMatch(/background:#ffd43b[^>]*><a[^>]*color:#000000/)
  expect(html).toMatch(/td\.button\{background:#1864ab!important\}\s*a\.button\{color:#ffffff!important\}/)
})

test('every mail to a subscriber can be unsubscribed from with one click', () => {
  for (const key of Object.keys(samples).filter((one) => !/confirm|manage/.test(one))) {
    expect(headersOf(mailAbout(key))).toMatchObject({
      'List-Unsubscribe': '<https://status.acme.test/api/v1/subscriptions/unsubscribe?token=u>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    })
  }
})

test('a confirmation, and a mail to a recipient that the settings name, cannot be unsubscribed from', () => {
  expect(headersOf(mailAbout('subscription.confirm'))).not.toHaveProperty('List-Unsubscribe')
  const named = mailAbout('incident.long_running', { subscriber_id: null, links: {} })
  expect(headersOf(named)).not.toHaveProperty('List-Unsubscribe')
  expect(render(named).text).toContain('because the settings of Acme name Ann@example.com as a recipient')
})

test.each([
  ['Acme Status', 'status@acme.test', '"Acme Status" <status@acme.test>'],
  ['Acme Status', '', '"Acme Status" (no address: the setting email_from_address is empty)'],
])('the sender %s with the address "%s" is shown as %s', (email_from_name, email_from_address, shown) => {
  expect(headersOf(mailAbout('incident.created', {}, { email_from_name, email_from_address })).From).toBe(shown)
})

test('all mails about an incident are in one thread, and a retry has the same id', () => {
  const about = (key: string) => headersOf(mailAbout(key))
  expect(about('incident.created')).toMatchObject({
    'Message-ID': '<delivery-90@status.acme.test>',
    References: '<page-3-incident-12@status.acme.test>',
    'In-Reply-To': '<page-3-incident-12@status.acme.test>',
  })
  expect(about('incident.resolved').References).toBe(about('incident.created').References)
  expect(about('maintenance.started').References).not.toBe(about('incident.created').References)
})

const hostile = 'Down\r\nBcc: eve@example.com\u202e<script>alert(1)</script>"\u0000\u2066'

test('hostile words change neither headers nor markup', () => {
  const record = { ...incident, title: hostile, impact: hostile, description: `${hostile}\n.\nQUIT` }
  const notification = notificationOf('incident.created', { record })
  notification.content.page = { ...page, name: hostile, url: 'javascript:alert(1)' }
  notification.content.items = [{ id: 5, name: hostile }]
  const { subject = '', html = '', text = '', headers = {} } = render(messageOf([notification]))
  expect(subject).toBe('New incident: Down Bcc: eve@example.com<script>alert(1)</script>"')
  for (const value of Object.values(headers)) expect(value).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  expect(`${html}${text}`).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u)
  expect(html).not.toContain('<script>')
  expect(html).not.toContain('javascript:')
})

test.each([
  ['letters', 'x'],
  ['entities', '"'],
  ['characters of three bytes', '表'],
  ['characters of four bytes', '😀'],
  ['code', '`a` '],
  ['links', '[](http://a) '],
  ['lists', '- a\n'],
  ['quotes', '> a\n\n'],
  ['nested quotes', '>'],
  ['tables', '|a|b|\n|-|-|\n|a|b|\n\n'],
])('100 KB of %s in every text are cut', (_name, character) => {
  const long = character.repeat(100_000)
  const record = { ...incident, title: long, impact: long, description: long, affected_items_freetext: long }
  const notification = notificationOf('incident.created', { record })
  notification.content.page = { ...page, name: long }
  notification.content.items = Array.from({ length: 3000 }, (_one, id) => ({ id, name: long }))
  const { subject = '', html = '', text = '' } = render(messageOf(Array(60).fill(notification)))
  expect(subject.length).toBeLessThan(250)
  expect(Buffer.byteLength(html) + Buffer.byteLength(text)).toBeLessThan(70_000)
  const alone = render(messageOf([notification]))
  expect(alone.subject?.length).toBeLessThan(250)
  expect(Buffer.byteLength(`${alone.html}${alone.text}`)).toBeLessThan(70_000)
})
