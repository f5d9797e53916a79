import { readFileSync } from 'node:fs'
import type { Access } from '../../src/kit/access.ts'

/** The documented routes, as documented.txt lists them: method and path, who may call, success statuses. */
export const documentedRoutes: Map<string, { access: Access; status: string }> = new Map(
  readFileSync(new URL('../documented.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, row = '', access, status = ''] = /^(\S+ \S+) (.+) (\S+)$/.exec(line) ?? []
      return [row, { access: access as Access, status }]
    }),
)
