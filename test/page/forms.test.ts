import { expect, test } from '@jest/globals'
import { unknownBranding } from '../../src/domain/pages/branding.ts'
import { labelsFor } from '../../src/languages/labels.ts'
import { brandedAs } from '../../src/page/branding.ts'
import { formStyle } from '../../src/page/subscriptions/form-style.ts'
import { renderViewForm } from '../../src/page/views/view-form.ts'

test('indents are at the start of a line in every direction', () => {
  expect(formStyle).toMatch(/\.d1\{padding-inline-start:1\.5rem\}/)
  expect(formStyle).not.toMatch(/(padding|margin)-(left|right)/)
})

test('every field that a reader fills in has the look of the form', () => {
  const branded = brandedAs(unknownBranding, { name: 'Acme' }, 'en')
  const form = { branded, name: 'For buyers', action: '/v/buyers', labels: labelsFor('en') }
  const fields = [renderViewForm(form), renderViewForm({ ...form, email: 'ada@example.com' })].flatMap((page) => [
    ...page.matchAll(/<input (?!type="hidden")[^>]*>/g),
  ])
  const types = fields.map(([field]) => /^<input type="(\w+)"/.exec(field)?.[1])
  expect(types).toEqual(['email', 'text'])
  for (const type of types) expect(formStyle).toContain(`input[type=${type}]`)
})
