/** The texts of hosted pages and footers in one language. */
export interface Wording {
  /** `{project}` stands for the sender's name. */
  footer: string
  preferences: string
  unsubscribe: { title: string; question: string; action: string; done: string }
  subscribe: { title: string; question: string; action: string; done: string }
  manage: { title: string; subscribed: string; unsubscribed: string }
  notFound: { title: string; text: string }
}

/** The wording in the first supported language: pass the contact's locale, then the project's language; English otherwise. */
export function wordingFor(...languages: unknown[]): { language: string; words: Wording } {
  for (const wanted of languages) {
    if (typeof wanted !== 'string') continue
    const language = wanted.toLowerCase().split(/[-_]/)[0] ?? ''
    const words = wordings[language]
    if (words && Object.hasOwn(wordings, language)) return { language, words }
  }
  return { language: 'en', words: english }
}

const english: Wording = {
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
}

const german: Wording = {
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
}

const french: Wording = {
  footer:
    'Vous recevez cet e-mail parce que vous avez accepté de recevoir les e-mails de {project}. Si vous ne souhaitez plus en recevoir,',
  preferences: 'modifiez vos préférences',
  unsubscribe: {
    title: 'Se désabonner',
    question: 'Voulez-vous ne plus recevoir les e-mails de {project} à {email} ?',
    action: 'Se désabonner',
    done: 'Vous êtes désabonné. {email} ne recevra plus les e-mails de {project}.',
  },
  subscribe: {
    title: "S'abonner",
    question: 'Voulez-vous recevoir les e-mails de {project} à {email} ?',
    action: "S'abonner",
    done: 'Vous êtes abonné. {email} recevra les e-mails de {project}.',
  },
  manage: {
    title: 'Vos préférences',
    subscribed: '{email} est abonné aux e-mails de {project}.',
    unsubscribed: "{email} n'est pas abonné aux e-mails de {project}.",
  },
  notFound: { title: "Ce lien n'est pas valide", text: "Il a peut-être été coupé en chemin. Ouvrez-le de nouveau depuis l'e-mail." },
}

const spanish: Wording = {
  footer: 'Recibe este correo porque aceptó recibir correos de {project}. Si ya no desea recibirlos,',
  preferences: 'actualice sus preferencias',
  unsubscribe: {
    title: 'Cancelar la suscripción',
    question: '¿Quiere dejar de recibir correos de {project} en {email}?',
    action: 'Cancelar la suscripción',
    done: 'Su suscripción está cancelada. {email} ya no recibirá correos de {project}.',
  },
  subscribe: {
    title: 'Suscribirse',
    question: '¿Quiere recibir correos de {project} en {email}?',
    action: 'Suscribirse',
    done: 'Está suscrito. {email} recibirá correos de {project}.',
  },
  manage: {
    title: 'Sus preferencias',
    subscribed: '{email} está suscrito a los correos de {project}.',
    unsubscribed: '{email} no está suscrito a los correos de {project}.',
  },
  notFound: { title: 'Este enlace no es válido', text: 'Puede que se haya cortado por el camino. Ábralo de nuevo desde el correo.' },
}

const wordings: Record<string, Wording> = { en: english, de: german, fr: french, es: spanish }
