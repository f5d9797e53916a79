import type { HostedPage } from '../../kit/html/page.ts'
import { showUpload } from './serve.ts'

/** Serves stored pictures to anyone who has their address. */
export const pages: HostedPage[] = [{ method: 'GET', path: '/uploads/:project/:name', handle: showUpload }]
