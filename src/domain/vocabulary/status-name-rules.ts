import { type Labels, labelsFor } from '../../languages/labels.ts'

/** The name of a status or a stage of a beat: the name that the page has given; a default name has a label in every language. */
export function statusNameIn(labels: Labels, key: string, own?: string): string {
  const label = [`status.${key}`, `stage.${key}`].find(labels.has)
  if (own !== undefined && (!label || own !== labelsFor('en').text(label))) return own
  return label ? labels.text(label) : `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll('_', ' ')}`
}

/** The name of a lifecycle stage: a default name has a label in every language. */
export function stageNameIn(labels: Labels, kind: 'incident' | 'maintenance', name: string): string {
  const label = `stage.${kind}.${name.toLowerCase().replaceAll(' ', '_')}`
  return labels.has(label) && name === labelsFor('en').text(label) ? labels.text(label) : name
}
