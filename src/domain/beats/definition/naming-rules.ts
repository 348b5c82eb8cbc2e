import { named } from '../../kernel/text-rules.ts'

/** How sentences for users name records: by their shortened name, with the id behind the name. Pure. */

interface Named {
  id: number
  name: string
}

export const beatName = ({ id, name }: Named) => `beat ${named(name, id)}`
export const groupName = ({ id, name }: Named) => `group ${named(name, id)}`
export const incidentName = ({ id, title }: { id: number; title: string }) => `incident ${named(title, id)}`
export const itemNames = (items: Named[]) =>
  `the ${items.length === 1 ? 'item' : 'items'} ${items.map(({ id, name }) => named(name, id)).join(', ')}`

/** Why an action of a beat cannot be posted any more. */
export const groupTakesOver = (beat: Named, group: Named) =>
  `The ${beatName(beat)} is a member of the ${groupName(group)}, which takes all public actions.`
