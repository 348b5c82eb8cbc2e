import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

interface Template extends Prompt {
  text(given: Record<string, string>): string
}

const required = (name: string, description: string) => ({ name, description, required: true })
const optional = (name: string, description: string) => ({ name, description, required: false })

const BY_PLAN = 'Draft it by the tool plan, show me the effect of each step, and call apply only when I agree.'

const templates: Template[] = [
  {
    name: 'status_report',
    title: 'Report the current status',
    description: 'A short report of what is wrong now and what is planned',
    text: () =>
      'Read the state of the status page by get_status. Report in a few lines what is wrong now, since when, what was last published about it, and which maintenance is next. Name records with their ids.',
  },
  {
    name: 'open_incident',
    title: 'Open an incident',
    description: 'Drafts an incident for readers of the page',
    arguments: [required('what', 'What is wrong, in your words'), optional('items', 'The affected items')],
    text: ({ what, items }) =>
      `Something is wrong: ${what}${items ? ` (affected: ${items})` : ''}. Look by get_status whether an open incident is about it already. If none is, find the affected items by search and draft an incident with a short title, a first message for customers without internal names, and the status of the items. ${BY_PLAN}`,
  },
  {
    name: 'update_incident',
    title: 'Update an incident',
    description: 'Writes the next public message of an incident',
    arguments: [required('incident', 'Its id or title'), optional('news', 'What is new')],
    text: ({ incident, news }) =>
      `Read incident ${incident} with its timeline${news ? `. What is new: ${news}` : ''}. Write the next update for customers: what is known, what is done, when the next update comes. If the incident is over, propose to resolve it. ${BY_PLAN}`,
  },
  {
    name: 'plan_maintenance',
    title: 'Plan a maintenance',
    description: 'Schedules a maintenance window',
    arguments: [required('what', 'What is done'), required('when', 'Start and length, in words')],
    text: ({ what, when }) =>
      `Schedule a maintenance: ${what}, ${when}. Times are in the zone of the page (settings.get, reliability_policy_timezone). Check upcoming maintenances of the same items for overlaps. ${BY_PLAN}`,
  },
  {
    name: 'review_actions',
    title: 'Review what beats want to publish',
    description: 'Goes through the actions that wait for a review',
    text: () =>
      `Read the actions that wait for a review (beat_actions.list with state pending_review). For each, name the beat or group, what the action would publish, and what the last results of the beat are (beats.runs). Recommend to approve or to reject each. ${BY_PLAN}`,
  },
  {
    name: 'explain_record',
    title: 'Explain what happened',
    description: 'Why something happened or did not',
    arguments: [required('record', 'Such as incident 17 or the name of a beat')],
    text: ({ record }) =>
      `Explain what happened with ${record}: find it by search, read it, and read the history of its process by explain. Say what happened when and why, and what is due next. Do not guess: name what the history does not show.`,
  },
]

export const prompts: Prompt[] = templates.map(({ text: _text, ...prompt }) => prompt)

export function getPrompt(name: string, given: Record<string, string> = {}): GetPromptResult {
  const template = templates.find((one) => one.name === name)
  if (!template) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${JSON.stringify(name)}.`)
  const missing = (template.arguments ?? []).filter((one) => one.required && !given[one.name])
  if (missing.length > 0) {
    const names = missing.map((one) => one.name).join(', ')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs: ${names}.`)
  }
  const { description } = template
  return { description, messages: [{ role: 'user', content: { type: 'text', text: template.text(given) } }] }
}
