import { expect } from '@jest/globals'
import { all, count, type Effects, sections, text } from './readings.ts'

/** The settings of the front page, of languages and of uptime. */
export const contents: Effects = [
  [
    'default_component_item_id',
    {
      settings: { show_component_by_default: true, default_component_item_id: 'shop' },
      shown: `[...document.querySelectorAll('.tree>li .name')].map((one) => one.innerText)`,
      before: expect.arrayContaining(['Platform']),
      after: expect.not.arrayContaining(['Platform']),
    },
  ],
  [
    'show_component_by_default',
    {
      settings: { show_component_by_default: true, default_component_item_id: 'shop' },
      shown: count('a[href="/?items=all"]'),
      before: 0,
      after: 1,
    },
  ],
  [
    'homepage_history_bars_days',
    {
      settings: { homepage_history_bars_days: 30 },
      shown: text('.scale'),
      before: expect.stringContaining('90'),
      after: expect.stringContaining('30'),
    },
  ],
  [
    'homepage_upcoming_maintenance_days',
    {
      settings: { homepage_upcoming_maintenance_days: 3 },
      shown: `document.body.innerText.includes('Planned upgrade')`,
      before: true,
      after: false,
    },
  ],
  [
    'enable_basic_view_on_homepage',
    { settings: { enable_basic_view_on_homepage: false }, shown: count('.views a'), before: 2, after: 0 },
  ],
  [
    'enable_tree_view_on_homepage',
    {
      settings: { enable_tree_view_on_homepage: false },
      shown: `${count('.tree ul')} > 0`,
      before: true,
      after: false,
    },
  ],
  [
    'homepage_hierarchy_view_mode',
    {
      settings: { homepage_hierarchy_view_mode: 'basic' },
      shown: text('.views [aria-current]'),
      before: 'Tree',
      after: 'List',
    },
  ],
  [
    'show_history_bars_on_homepage',
    { settings: { show_history_bars_on_homepage: false }, shown: `${count('.bars')} > 0`, before: true, after: false },
  ],
  [
    'show_incident_affected_summary',
    {
      settings: { show_incident_affected_summary: false },
      shown: `document.querySelector('#current_activity').innerText.includes('Affected:')`,
      before: true,
      after: false,
    },
  ],
  [
    'show_incident_impact_in_collapsed',
    {
      settings: { show_incident_impact_in_collapsed: false, homepage_current_activity_view_mode: 'list' },
      shown: `document.querySelector('#current_activity article').innerText.includes('All cards')`,
      before: true,
      after: false,
    },
  ],
  [
    'show_incident_last_updated_at',
    {
      settings: { show_incident_last_updated_at: false },
      shown: `document.querySelector('#current_activity').innerText.includes('Last update')`,
      before: true,
      after: false,
    },
  ],
  [
    'show_incident_started_at',
    {
      settings: { show_incident_started_at: false },
      shown: `document.querySelector('#current_activity').innerText.includes('Started')`,
      before: true,
      after: false,
    },
  ],
  [
    'show_incident_view_details_link',
    {
      settings: { show_incident_view_details_link: false },
      shown: `document.querySelector('#current_activity').innerText.includes('View details')`,
      before: true,
      after: false,
    },
  ],
  [
    'homepage_current_activity_view_mode',
    {
      settings: { homepage_current_activity_view_mode: 'list' },
      shown: count('#current_activity article > details.more'),
      before: 0,
      after: 1,
    },
  ],
  [
    'homepage_current_activity_row_display',
    {
      settings: { homepage_current_activity_view_mode: 'list', homepage_current_activity_row_display: 'compact' },
      shown: `document.querySelector('#current_activity').innerText.includes('Started')`,
      before: true,
      after: false,
    },
  ],
  [
    'homepage_default_incident_group_by',
    {
      settings: { homepage_default_incident_group_by: 'item' },
      shown: text('.when-of'),
      before: expect.stringMatching(/\d{4}$/),
      after: expect.not.stringMatching(/\d{4}$/),
    },
  ],
  [
    'homepage_default_collapsed_sections',
    {
      settings: { homepage_default_collapsed_sections: ['components'] },
      shown: `document.querySelector('#components').open`,
      before: true,
      after: false,
    },
  ],
  [
    'homepage_hidden_sections',
    {
      settings: { homepage_hidden_sections: ['past_incidents'] },
      shown: sections,
      before: all,
      after: 'status current_activity components upcoming_maintenance',
    },
  ],
  [
    'homepage_section_order',
    {
      settings: { homepage_section_order: ['past_incidents', 'components'] },
      shown: sections,
      before: all,
      after: 'past_incidents components status current_activity upcoming_maintenance',
    },
  ],
  [
    'datetime_locale',
    {
      settings: { datetime_locale: 'de' },
      shown: text('footer time'),
      before: expect.not.stringContaining(' um '),
      after: expect.stringContaining(' um '),
    },
  ],
  [
    'document_locale',
    { settings: { document_locale: 'fr' }, shown: 'document.documentElement.lang', before: 'en', after: 'fr' },
  ],
  [
    'supported_locales',
    {
      settings: { multilingual_enabled: true, multilingual_public_ready: true, supported_locales: ['en', 'de'] },
      shown: count('.languages a'),
      before: 0,
      after: 2,
    },
  ],
  [
    'multilingual_enabled',
    {
      settings: { multilingual_enabled: true, multilingual_public_ready: true },
      shown: text('h3'),
      before: 'Payments fail',
      after: 'Zahlungen gestört',
      locale: 'de',
    },
  ],
  [
    'multilingual_public_ready',
    {
      settings: { multilingual_enabled: true, multilingual_public_ready: true },
      shown: text('h3'),
      before: 'Payments fail',
      after: 'Zahlungen gestört',
      locale: 'de',
    },
  ],
  [
    'reliability_maintenance_counts_as_uptime',
    {
      settings: { reliability_maintenance_counts_as_uptime: false },
      shown: text('.panel .soft'),
      before: expect.stringContaining('Maintenance counts as uptime'),
      after: expect.stringContaining('Maintenance counts by its weight'),
      path: 'item',
    },
  ],
  [
    'reliability_policy_timezone',
    {
      settings: { reliability_policy_timezone: 'Asia/Tokyo' },
      shown: text('[data-zone]'),
      before: expect.stringContaining('UTC'),
      after: expect.stringContaining('Asia/Tokyo'),
    },
  ],
  [
    'reliability_target_uptime_percent',
    {
      settings: { reliability_target_uptime_percent: 99.9 },
      shown: `document.body.innerText.includes('Target: 99.9%')`,
      before: false,
      after: true,
      path: 'item',
    },
  ],
  [
    'reliability_policy_label',
    {
      settings: { reliability_target_uptime_percent: 99.9, reliability_policy_label: 'Gold' },
      shown: `document.body.innerText.includes('(Gold)')`,
      before: false,
      after: true,
      path: 'item',
    },
  ],
]
