import { planStep } from './plans/step.ts'
import { turnStep } from './turns/step.ts'

export const agentSteps = { delegation: turnStep, plan: planStep }
