import type { DomainRecord } from './data.tsx'

const maxString = 255

/** The records as lines of a zone file (RFC 1035, 5.1), which many DNS providers import; text longer than 255 characters in pieces. */
export function zoneOf(records: readonly Pick<DomainRecord, 'name' | 'type' | 'value'>[]): string {
  return records.map(({ name, type, value }) => `${name}. 3600 IN ${type} ${dataOf(type, value)}\n`).join('')
}

function dataOf(type: DomainRecord['type'], value: string): string {
  if (type !== 'TXT') return `${value}.`
  const pieces = value.match(new RegExp(`.{1,${maxString}}`, 'g')) ?? ['']
  return pieces.map((piece) => `"${piece.replaceAll(/["\\]/g, '\\$&')}"`).join(' ')
}
