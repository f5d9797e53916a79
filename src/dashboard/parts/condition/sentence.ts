import { type NameOf, ruleText } from '../../data/clauses.ts'
import type { Group, Part } from './tree.ts'

/** What a condition means, in a sentence. */
export function sentenceOf(group: Group, nameOf: NameOf): string {
  return `Contacts where ${clauseOf(group, nameOf)}.`
}

/** What a part of a condition means, as a clause. */
export function clauseOf(part: Part, nameOf: NameOf): string {
  if (part.kind === 'rule') return ruleText(part, nameOf)
  const word = part.logic === 'AND' ? ' and ' : ' or '
  const clauses = part.children.map((one) => (one.kind === 'group' ? `(${clauseOf(one, nameOf)})` : clauseOf(one, nameOf)))
  return clauses.length > 0 ? clauses.join(word) : '…'
}
