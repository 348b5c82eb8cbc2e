import type { PageRef } from './context.ts'

/** Whether everyone may read the page: the page is public and asks its viewers for nothing. */
export const isOpen = ({ visibility, viewer_auth_mode }: Pick<PageRef, 'visibility' | 'viewer_auth_mode'>): boolean =>
  visibility === 'public' && viewer_auth_mode === 'none'
