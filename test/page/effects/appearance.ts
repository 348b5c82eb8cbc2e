import { expect } from '@jest/globals'
import { CDN, count, type Effects, link, loaded, middle, profile, requested, style, text } from './readings.ts'

/** The visible logo and the title in the header, which can be for screen readers alone. */
const identity = `[...document.querySelectorAll('.logo, h1 bdi')]
  .filter((one) => one.checkVisibility())
  .map((one) => one.src ?? one.innerText + (one.closest('.hidden') ? ' hidden' : ''))
  .join(', ')`

/** The settings of the look and of the header. */
export const appearance: Effects = [
  [
    'body_font_preset',
    {
      settings: { body_font_preset: 'serif' },
      shown: style('body', 'font-family'),
      before: expect.stringContaining('system-ui'),
      after: expect.stringContaining('Georgia'),
    },
  ],
  [
    'body_font_url',
    {
      settings: { body_font_preset: 'custom', body_font_url: `${CDN}/font.woff2` },
      shown: requested(`${CDN}/font.woff2`),
      before: 0,
      after: 1,
    },
  ],
  [
    'heading_font_preset',
    {
      settings: { heading_font_preset: 'mono' },
      shown: style('h1', 'font-family'),
      before: expect.stringContaining('system-ui'),
      after: expect.stringContaining('Menlo'),
    },
  ],
  [
    'heading_font_url',
    {
      settings: { heading_font_preset: 'custom', heading_font_url: `${CDN}/font.woff2` },
      shown: requested(`${CDN}/font.woff2`),
      before: 0,
      after: 1,
    },
  ],
  [
    'brand_color_light',
    {
      settings: { brand_color_light: '#7a1f5c' },
      shown: style('.button', 'background-color'),
      before: 'rgb(11, 92, 173)',
      after: 'rgb(122, 31, 92)',
    },
  ],
  [
    'brand_color_dark',
    {
      settings: { brand_color_dark: '#ffcc00' },
      shown: style('.button', 'background-color'),
      before: 'rgb(124, 184, 245)',
      after: 'rgb(255, 204, 0)',
      dark: true,
    },
  ],
  [
    'custom_css',
    {
      settings: { custom_css: 'h1{letter-spacing:7px}' },
      shown: style('h1', 'letter-spacing'),
      before: expect.not.stringMatching('7px'),
      after: '7px',
    },
  ],
  [
    'custom_head_script_url',
    {
      settings: { custom_head_script_url: `${CDN}/head.js` },
      shown: 'document.title',
      before: expect.not.stringMatching(/head$/),
      after: expect.stringMatching(/ head$/),
    },
  ],
  [
    'custom_body_script_url',
    {
      settings: { custom_body_script_url: `${CDN}/body.js` },
      shown: 'document.title',
      before: expect.not.stringMatching(/body$/),
      after: expect.stringMatching(/ body$/),
    },
  ],
  [
    'favicon_url',
    {
      settings: { favicon_url: `${CDN}/icon.png` },
      shown: `document.querySelector('link[rel=icon]').href`,
      before: expect.stringMatching(/^data:/),
      after: `${CDN}/icon.png`,
    },
  ],
  ['logo_url', { settings: { logo_url: `${CDN}/logo.png` }, shown: loaded('.logo'), before: 0, after: 1 }],
  [
    'logo_url_dark',
    {
      settings: { logo_url: `${CDN}/logo.png`, logo_url_dark: `${CDN}/dark.png` },
      shown: `[...document.querySelectorAll('.logo')].filter((one) => one.checkVisibility()).map((one) => one.src).join()`,
      before: '',
      after: `${CDN}/dark.png`,
      dark: true,
    },
  ],
  [
    'logo_url_dark',
    {
      settings: { logo_url_dark: `${CDN}/dark.png`, header_identity_mode: 'logo' },
      shown: identity,
      before: 'First',
      after: `${CDN}/dark.png, First hidden`,
      dark: true,
    },
  ],
  [
    'logo_url_dark',
    {
      settings: { logo_url_dark: `${CDN}/dark.png`, header_identity_mode: 'logo' },
      shown: identity,
      before: 'First',
      after: 'First',
    },
  ],
  [
    'footer_text',
    { settings: { footer_text: 'Made by **us**' }, shown: text('footer .prose'), before: null, after: 'Made by us' },
  ],
  [
    'site_subtitle',
    { settings: { site_subtitle: 'All services' }, shown: text('.subtitle'), before: null, after: 'All services' },
  ],
  ['site_title', { settings: { site_title: 'Acme status' }, shown: text('h1'), before: 'First', after: 'Acme status' }],
  [
    'show_site_title',
    {
      settings: { show_site_title: false, logo_url: `${CDN}/logo.png` },
      shown: count('h1 .hidden'),
      before: 0,
      after: 1,
    },
  ],
  [
    'public_theme_profile',
    {
      settings: profile({ color_scheme: 'dark' }),
      shown: style('body', 'background-color'),
      before: 'rgb(245, 246, 248)',
      after: 'rgb(17, 20, 23)',
    },
  ],
  [
    'public_theme_profile',
    {
      settings: profile({ radius: 'none' }),
      shown: style('.card', 'border-top-left-radius'),
      before: '12px',
      after: '0px',
    },
  ],
  [
    'public_theme_profile',
    { settings: profile({ density: 'compact' }), shown: style('.row', 'padding-top'), before: '10px', after: '6px' },
  ],
  [
    'public_theme_profile',
    {
      settings: profile({ status_colors: 'accessible' }),
      shown: style('.state svg', '--c'),
      before: '#c92a2a',
      after: '#b3420a',
    },
  ],
  [
    'page_background_mode',
    {
      settings: { page_background_mode: 'image', page_background_url: `${CDN}/back.png` },
      shown: style('body', 'background-image'),
      before: 'none',
      after: `url("${CDN}/back.png")`,
    },
  ],
  [
    'page_background_url',
    {
      settings: { page_background_mode: 'image', page_background_url: `${CDN}/back.png` },
      shown: requested(`${CDN}/back.png`),
      before: 0,
      after: 1,
    },
  ],
  [
    'page_layout',
    { settings: { page_layout: 'wide' }, shown: style('body', 'max-width'), before: '800px', after: '1152px' },
  ],
  [
    'header_action_style',
    { settings: { header_action_style: 'link' }, shown: count('nav a.button'), before: 1, after: 0 },
  ],
  [
    'header_background_url',
    {
      settings: { header_background_url: `${CDN}/back.png` },
      shown: style('.top', 'background-image'),
      before: 'none',
      after: `url("${CDN}/back.png")`,
    },
  ],
  [
    'header_identity_mode',
    {
      settings: { header_identity_mode: 'title', logo_url: `${CDN}/logo.png` },
      shown: `${count('.logo')} + ' ' + ${count('h1 .hidden')}`,
      before: '0 0',
      after: '0 0',
    },
  ],
  [
    'header_identity_mode',
    {
      settings: { header_identity_mode: 'logo', logo_url: `${CDN}/logo.png` },
      shown: `${count('.logo')} + ' ' + ${count('h1 .hidden')}`,
      before: '0 0',
      after: '1 1',
    },
  ],
  [
    'header_layout',
    {
      settings: { header_layout: 'center' },
      shown: `Math.abs(${middle('h1')} - ${middle('.bar')}) < 1`,
      before: false,
      after: true,
    },
  ],
  [
    'header_show_subscribe',
    { settings: { header_show_subscribe: false }, shown: count('a[href="/subscribe"]'), before: 1, after: 0 },
  ],
  [
    'header_show_theme_toggle',
    {
      settings: { header_show_theme_toggle: false },
      shown: count('[data-theme-toggle]:not([hidden])'),
      before: 1,
      after: 0,
    },
  ],
  [
    'header_show_timezone',
    { settings: { header_show_timezone: false }, shown: count('[data-zone]'), before: 1, after: 0 },
  ],
  [
    'header_navigation_links',
    {
      settings: { header_navigation_links: link('https://example.com/help') },
      shown: count('header a[href="https://example.com/help"][target=_blank][rel="noopener noreferrer"]'),
      before: 0,
      after: 1,
    },
  ],
  [
    'footer_navigation_links',
    {
      settings: { footer_navigation_links: link('mailto:help@example.com') },
      shown: text('footer a[href="mailto:help@example.com"]'),
      before: null,
      after: 'Help',
    },
  ],
]
