import { describe, expect, test } from '@jest/globals'
import {
  categories,
  isVariable,
  render,
  sampleOf,
  unknownVariables,
  variablesIn,
  variablesOf,
} from '../../src/domain/presets/rules.ts'

describe('variables in a text', () => {
  test.each([
    ['nothing', []],
    ['{{Page-Name}} is down', ['Page-Name']],
    ['{{ Page-Name }} and {{Page-Name}}', ['Page-Name']],
    ['{{B}}{{A}}', ['B', 'A']],
    ['{{}}', ['']],
    ['{Page-Name} {{Page-Name} {{', []],
    ['{{{Page-Name}}}', ['Page-Name']],
  ])('%s: %j', (text, names) => {
    expect(variablesIn(text)).toEqual(names)
  })
})

const beat = [
  'Monitor-Name',
  'Monitor-Stage',
  'Evidence-Summary',
  'Latest-Latency-Ms',
  'Latest-Status-Code',
  'Latest-Region',
  'Target-Url',
]
const items = ['Hierarchy-Item-Name', 'impacted-level-1']
const incident = ['Page-Name', 'Incident-Title', 'Incident-Status', ...items]
const maintenance = ['Page-Name', 'Maintenance-Title', 'Scheduled-Start', 'Scheduled-End', ...items]
const allowed = {
  general: ['Page-Name'],
  incident,
  maintenance,
  incident_impact: incident,
  maintenance_impact: maintenance,
  synthetic_warning: [...beat, ...items],
  synthetic_critical: [...beat, ...items],
  synthetic_recovery: [...beat, ...items],
}
const every = [...new Set(Object.values(allowed).flat())]

describe.each(categories)('the category %s', (category) => {
  test.each(every)('%s', (name) => {
    expect(isVariable(name, category)).toBe(allowed[category].includes(name))
    expect(unknownVariables(`{{${name}}}`, category)).toEqual(allowed[category].includes(name) ? [] : [name])
    if (isVariable(name, category)) expect(sampleOf(name, category)).not.toBe('')
  })

  test('has no more than these', () => {
    expect(variablesOf(category)).toHaveLength(allowed[category].length)
  })
})

test.each([
  ['impacted-level-1', true],
  ['impacted-level-12', true],
  ['impacted-level-0', false],
  ['impacted-level-01', false],
  ['impacted-level-N', false],
  ['impacted-level-', false],
  ['page-name', false],
  ['constructor', false],
  ['', false],
])('"%s" is a variable of an incident: %s', (name, is) => {
  expect(isVariable(name, 'incident')).toBe(is)
})

describe('a text is rendered', () => {
  test.each([
    ['{{A}} and {{ A }}', { A: 'x' }, 'x and x'],
    ['{{A}}{{B}}', { A: '{{B}}', B: 'b' }, '{{B}}b'],
    ['{{A}}', { A: '$& $1' }, '$& $1'],
    ['{{A}}!', {}, '!'],
    ['{{toString}}', {}, ''],
    ['{A} stays', { A: 'x' }, '{A} stays'],
  ])('%s with %j: %s', (text, values, rendered) => {
    expect(render(text, values as Record<string, string>)).toBe(rendered)
  })
})
