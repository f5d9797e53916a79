import type { Wording } from './wording.ts'

/** The texts in German. */
export const german: Wording = {
  direction: 'ltr',
  footer: 'Sie erhalten diese E-Mail, weil Sie E-Mails von {project} zugestimmt haben. Möchten Sie keine mehr erhalten,',
  preferences: 'ändern Sie Ihre Einstellungen',
  unsubscribe: {
    title: 'Abmelden',
    question: 'Möchten Sie keine E-Mails von {project} an {email} mehr erhalten?',
    action: 'Abmelden',
    done: 'Sie sind abgemeldet. {email} erhält keine E-Mails von {project} mehr.',
  },
  subscribe: {
    title: 'Anmelden',
    question: 'Möchten Sie E-Mails von {project} an {email} erhalten?',
    action: 'Anmelden',
    done: 'Sie sind angemeldet. {email} erhält E-Mails von {project}.',
  },
  manage: {
    title: 'Ihre Einstellungen',
    subscribed: '{email} ist für E-Mails von {project} angemeldet.',
    unsubscribed: '{email} ist nicht für E-Mails von {project} angemeldet.',
  },
  notFound: {
    title: 'Dieser Link ist ungültig',
    text: 'Vielleicht wurde er unterwegs abgeschnitten. Bitte öffnen Sie ihn noch einmal aus der E-Mail.',
  },
  foreignLink: { title: 'Dieser Link führt zu einer anderen Website', text: 'Folgen Sie ihm nur, wenn Sie dieser Adresse vertrauen:' },
}
