import { mayDo } from '../../kernel/permissions.ts'
import type { Response } from '../response-types.ts'
import { bullets } from './text.ts'

const questions = [
  'Is everything up? How is Checkout doing?',
  'Which incidents are open? What happened yesterday?',
  'Which maintenance is planned this week?',
  'What is the uptime of Checkout in the last 30 days?',
  'Which beats are failing, and why did they fire?',
  'Which reviews wait? Why was no reminder sent for incident 17?',
]

const requests = [
  'Open a major outage on Checkout titled "Card payments fail"',
  'Update incident 17: "We have found the cause"',
  'Resolve incident 17',
  'Schedule maintenance on Payments tomorrow 22:00 for two hours titled "Database upgrade"',
  'Mute the beat Checkout health for 30 minutes',
  'Approve review 5',
]

export const answerHelp: Response = async ({ actor }) => {
  const writes = actor.kind !== 'anonymous' && mayDo(actor, 'incidents', 'write')
  const about = writes
    ? 'A request becomes a plan, and nothing changes until the plan is confirmed.'
    : 'A request becomes a plan. This token cannot confirm plans that change something.'
  const summary = 'Ask about the status page, or ask for a change.'
  return {
    ...{ outcome: 'answered', title: 'What I can do', summary },
    markdown: [summary, bullets(questions), about, bullets(requests)].join('\n'),
    records: [],
  }
}
