import type { Wording } from './wording.ts'

/** The texts in Dutch. */
export const dutch: Wording = {
  direction: 'ltr',
  footer: 'U ontvangt deze e-mail omdat u hebt aangegeven e-mails van {project} te willen ontvangen. Wilt u ze niet meer ontvangen,',
  preferences: 'pas dan uw voorkeuren aan',
  unsubscribe: {
    title: 'Afmelden',
    question: 'Wilt u geen e-mails van {project} meer ontvangen op {email}?',
    action: 'Afmelden',
    done: 'U bent afgemeld. {email} ontvangt geen e-mails meer van {project}.',
  },
  subscribe: {
    title: 'Aanmelden',
    question: 'Wilt u e-mails van {project} ontvangen op {email}?',
    action: 'Aanmelden',
    done: 'U bent aangemeld. {email} ontvangt e-mails van {project}.',
  },
  manage: {
    title: 'Uw voorkeuren',
    subscribed: '{email} is aangemeld voor e-mails van {project}.',
    unsubscribed: '{email} is niet aangemeld voor e-mails van {project}.',
  },
  notFound: {
    title: 'Deze link is niet geldig',
    text: 'Misschien is de link onvolledig. Open hem nog een keer vanuit de e-mail.',
  },
  foreignLink: { title: 'Deze link leidt naar een andere website', text: 'Volg hem alleen als u dit adres vertrouwt:' },
}
