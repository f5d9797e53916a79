import type { Wording } from './wording.ts'

/** The texts in French. */
export const french: Wording = {
  direction: 'ltr',
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
  foreignLink: { title: 'Ce lien mène à un autre site web', text: 'Ne le suivez que si vous faites confiance à cette adresse :' },
}
