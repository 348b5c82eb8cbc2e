import { expect, test } from '@jest/globals'
import {
  automaticStatusText,
  automaticText,
  automaticTextIn,
  isAutomatic,
} from '../../src/domain/vocabulary/automatic-text-rules.ts'
import { defaultIncidentStages, defaultMaintenanceStages } from '../../src/domain/vocabulary/defaults.ts'
import { stageNameIn } from '../../src/domain/vocabulary/status-name-rules.ts'
import { labelsFor } from '../../src/languages/labels.ts'

test.each([
  ['de', automaticText('resolved'), 'resolved', 'Diese Störung ist behoben.'],
  ['de', automaticText('cancelled'), 'cancelled', 'Diese Wartung wurde abgesagt.'],
  ['de', automaticStatusText('Degraded'), 'degraded', 'Der Status ist jetzt „Beeinträchtigt“.'],
  ['de', automaticStatusText('Slow $& slow'), 'degraded', 'Der Status ist jetzt „Slow $& slow“.'],
  ['en', automaticStatusText('Degraded'), 'degraded', 'The status is now "Degraded".'],
  ['xx', automaticText('reopened'), 'degraded', 'This incident has been opened again.'],
  ['de', 'This incident has been resolved!', 'resolved', undefined],
  ['de', 'The status is now better.', 'degraded', undefined],
])('in %s, %j with the status %s is %j', (locale, message, status, expected) => {
  expect(automaticTextIn(labelsFor(locale), { message, status })).toBe(expected)
})

test.each([
  ['Diese Störung ist behoben.', true],
  ['Der Status ist jetzt „Langsam“.', true],
  ['Wir sind dran.', false],
])('whether %j is the text of an automatic entry in German: %j', (message, expected) => {
  expect(isAutomatic(labelsFor('de'), message)).toBe(expected)
})

test.each([
  ['incident', defaultIncidentStages],
  ['maintenance', defaultMaintenanceStages],
] as const)('each default stage of an %s has a label', (kind, stages) => {
  const german = stages.map(({ name }) => stageNameIn(labelsFor('de'), kind, name))
  expect(german.filter((name, index) => name === stages[index]!.name)).toEqual([])
  expect(stageNameIn(labelsFor('de'), kind, 'Waiting')).toBe('Waiting')
})
