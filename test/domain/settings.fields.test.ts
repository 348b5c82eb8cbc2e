import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { addressNames, shownOf } from '../../src/domain/settings/fields.ts'
import { chatFields, laterFields, pageFields } from '../../src/domain/settings/groups/index.ts'
import { filled } from '../../src/domain/settings/schema.ts'

test('every settings field is in one group only', () => {
  const names = [pageFields, laterFields, chatFields].flatMap((fields) => Object.keys(fields))
  expect(names).toHaveLength(new Set(names).size)
})

test.each(Object.entries({ ...pageFields, ...laterFields, ...chatFields }))(
  'the default of %s is a value that it takes, and null goes back to it',
  (_name, field) => {
    const value = z.parse(field, undefined)
    expect(z.parse(field, value)).toEqual(value)
  },
)

test('the public read will leave out secrets, SMTP, SSO, recipients, chat channels and lockdown', () => {
  const shown = Object.keys(shownOf({ ...pageFields, ...laterFields }))
  const left = Object.keys({ ...pageFields, ...laterFields }).filter((name) => !shown.includes(name))
  expect(shown.filter((name) => /smtp|password$|secret|^sso_|recipients|channel|^iac_|from_/.test(name))).toEqual([])
  expect(left).toEqual(expect.arrayContaining(['sso_client_secret', 'email_smtp_host', 'iac_locked_features']))
  expect(shown).toEqual(expect.arrayContaining(['site_title', 'document_locale', 'notify_on_long_running_incidents']))
})

test('the fields with addresses of people are marked, so that only administrators read them', () => {
  expect(addressNames({ ...pageFields, ...laterFields }).sort()).toEqual([
    'email_from_address',
    'email_reply_to_address',
    'email_smtp_username',
    'long_running_incident_email_recipients',
    'long_running_maintenance_email_recipients',
  ])
})

test('what was kept under a name that is no field any more stays out', () => {
  expect(filled({ document_locale: 'de', forgotten: 1 })).toEqual({ ...filled({}), document_locale: 'de' })
})
