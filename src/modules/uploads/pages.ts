import type { HostedPage } from '../../kit/html/page.ts'
import { showUpload } from './serve.ts'

/** Stored pictures, for everybody who has their address. */
export const pages: HostedPage[] = [{ method: 'GET', path: '/uploads/:project/:name', handle: showUpload }]
