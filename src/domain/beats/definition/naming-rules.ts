/** How sentences for users name things: by name, with the id behind it. Pure. */

interface Named {
  id: number
  name: string
}

export const beatName = ({ id, name }: Named) => `beat "${name}" (${id})`
export const groupName = ({ id, name }: Named) => `group "${name}" (${id})`
export const incidentName = ({ id, title }: { id: number; title: string }) => `incident "${title}" (${id})`
export const itemNames = (items: Named[]) =>
  `the ${items.length === 1 ? 'item' : 'items'} ${items.map(({ id, name }) => `"${name}" (${id})`).join(', ')}`

/** Why an action of a beat cannot be posted any more. */
export const groupTakesOver = (beat: Named, group: Named) =>
  `The ${beatName(beat)} is a member of the ${groupName(group)} by now, which takes all public actions.`
