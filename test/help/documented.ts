import { readFileSync } from 'node:fs'
import type { Who } from '../../src/kit/route.ts'

/** The rows of the interface as documented.txt copies them once: method and path, who may call, success statuses. */
export const documentedRows: Map<string, { who: Who; status: string }> = new Map(
  readFileSync(new URL('../documented.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [method, path, who, status = ''] = line.split(' ')
      return [`${method} ${path}`, { who: who as Who, status }]
    }),
)
