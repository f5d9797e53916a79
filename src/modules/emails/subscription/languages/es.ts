import type { Wording } from './wording.ts'

/** The texts in Spanish. */
export const spanish: Wording = {
  direction: 'ltr',
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
  foreignLink: { title: 'Este enlace lleva a otro sitio web', text: 'Ábralo solo si confía en esta dirección:' },
}
