import type { Wording } from './wording.ts'

/** The texts in English. */
export const english: Wording = {
  direction: 'ltr',
  footer: 'You received this email because you agreed to receive emails from {project}. If you no longer wish to receive them, please',
  preferences: 'update your preferences',
  unsubscribe: {
    title: 'Unsubscribe',
    question: 'Do you want to stop receiving emails from {project} at {email}?',
    action: 'Unsubscribe',
    done: 'You are unsubscribed. {email} will no longer receive emails from {project}.',
  },
  subscribe: {
    title: 'Subscribe',
    question: 'Do you want to receive emails from {project} at {email}?',
    action: 'Subscribe',
    done: 'You are subscribed. {email} will receive emails from {project}.',
  },
  manage: {
    title: 'Your preferences',
    subscribed: '{email} is subscribed to emails from {project}.',
    unsubscribed: '{email} is not subscribed to emails from {project}.',
  },
  notFound: { title: 'This link is not valid', text: 'It may be incomplete. Please open it from the email again.' },
  foreignLink: { title: 'This link leads to another website', text: 'Follow it only if you trust this address:' },
}
