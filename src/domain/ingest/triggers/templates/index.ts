/** `generic`, and the systems that have a template. */
export const providerTypes = [
  'generic',
  'alertmanager',
  'grafana',
  'datadog',
  'cloudwatch',
  'pagerduty',
  'sentry',
  'statuspage',
] as const
