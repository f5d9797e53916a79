import type { IncomingMessage } from 'node:http'
import { isMultipart } from '../../kit/multipart.ts'
import type { Route } from '../../kit/route.ts'

/** The form of an endpoint that a call asks for: by the header Accept where it can answer with a file, else by the type of its body. */
export function chosenFor(route: Route, { headers }: Pick<IncomingMessage, 'headers'>): Route {
  const { variant } = route
  if (!variant) return route
  const { file } = variant.notes
  return (file ? prefers(headers.accept, file) : isMultipart(headers['content-type'])) ? variant : route
}

// RFC 9110, 12.5.1: a type that is not named, but only matched by a wildcard, is not asked for.
function prefers(accept: string | undefined, type: string): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',')
  const weightOf = (wanted: string): number => {
    const [, ...parameters] = ranges.map((range) => range.split(';').map((part) => part.trim())).find(([name]) => name === wanted) ?? [
      '',
      'q=0',
    ]
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    return Number.isNaN(weight) ? 0 : weight
  }
  return weightOf(type) > 0 && weightOf(type) >= weightOf('application/json')
}
