import { type EmbedView, getEmbeds } from '../domain/embeds/read.ts'
import type { ReadAddress } from '../web/read-addresses.ts'
import { badgeAddresses } from './badge.ts'
import { renderFrame } from './frame.ts'
import { embedScript } from './script.ts'
import { embedState } from './state.ts'

const theme: ReadAddress['parameters'] = ({ theme }) =>
  theme === 'light' || theme === 'dark' ? { theme } : ({} as Record<string, string>)

/** What pages of others show of the status page. */
export const embedAddresses: ReadAddress[] = [
  ...badgeAddresses,
  {
    path: '/embed.js',
    operation: getEmbeds,
    render: () => ({ body: embedScript(), type: 'text/javascript; charset=utf-8' }),
  },
  {
    path: '/embed.json',
    operation: getEmbeds,
    render: (view: EmbedView, place) => ({
      body: JSON.stringify(embedState(view, place)),
      type: 'application/json; charset=utf-8',
    }),
  },
  {
    path: '/embed/frame',
    operation: getEmbeds,
    parameters: theme,
    render: (view: EmbedView, place, { theme }) => renderFrame(view, place, theme),
  },
]
