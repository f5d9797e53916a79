import type { EmailStatus } from '../graphql/graphql.ts'

// In these an email may never have been rendered: its subject is then still as it was given, with variables.
const early: EmailStatus[] = ['PENDING', 'SENDING', 'FAILED', 'REJECTED', 'SUPPRESSED', 'CANCELLED']

interface Titled {
  subject: string
  status: EmailStatus
}

/** Whether the subject of an email is as it was given, because no values were put in the places of its variables. */
export function isUnrendered({ subject, status }: Titled): boolean {
  return early.includes(status) && /\{[{%]/.test(subject)
}

/** The subject of an email in words for people: of one that was never rendered with the names of variables in brackets. */
export function titleOf(email: Titled): string {
  return (isUnrendered(email) ? withoutLiquid(email.subject) : email.subject) || '(no subject)'
}

// `{{ name ?? "friend" }}` is [name]; what decides and repeats is left out. A text of at most 998 characters.
function withoutLiquid(subject: string): string {
  return subject
    .replace(/\{%.*?%\}/g, ' ')
    .replace(/\{\{-?\s*([^\s|?}]*).*?\}\}/g, '[$1]')
    .replace(/\s+/g, ' ')
    .trim()
}
