import { alertmanager } from './alertmanager.ts'
import { cloudwatch } from './cloudwatch.ts'
import { datadog } from './datadog.ts'
import { grafana } from './grafana.ts'
import { pagerduty } from './pagerduty.ts'
import type { TriggerTemplate } from './schema.ts'
import { sentryIssues, sentryMetrics } from './sentry.ts'
import { statuspageComponents, statuspageIncidents } from './statuspage.ts'

export const templates: TriggerTemplate[] = [
  alertmanager,
  grafana,
  datadog,
  cloudwatch,
  pagerduty,
  sentryIssues,
  sentryMetrics,
  statuspageIncidents,
  statuspageComponents,
]

/** `generic`, and the systems that have a template. */
export const providerTypes = ['generic', ...new Set(templates.map(({ provider_type }) => provider_type))]
