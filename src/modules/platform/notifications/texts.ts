import type { Notification } from '../../notifications/shapes.ts'

/** The texts of one kind of notification; each is a Liquid template over its data. */
export interface NotificationText {
  subject: string
  /** Paragraphs before the button. */
  lines: string[]
  /** The label of the button, which leads to the path of the notification or, if it has none, to the installation. */
  action: string
  /** A note below the link, in smaller type. */
  note: string
}

const project = '“{{ projectName }}”'
const used = `${project} has used {{ used }} of the {{ limit }} emails it may send this month{% unless category == "all" %} (category: {{ category }}){% endunless %}.`
const next = 'The count starts again on {{ periodEnd | date: "%B %-d, %Y" }}.'
const forAdmins = 'You receive this email because you are an owner or admin of the project.'

/** The texts of all notifications. */
export const notificationTexts: Record<Notification['kind'], NotificationText> = {
  'verify-email': {
    subject: 'Confirm your email address',
    lines: ['Please confirm that {{ email }} is your address.'],
    action: 'Confirm my address',
    note: 'The link works once, for {{ hours }} hours. If you did not create an account, ignore this email.',
  },
  'reset-password': {
    subject: 'Reset your password',
    lines: ['Someone, hopefully you, asked to reset the password of the account {{ email }}.'],
    action: 'Choose a new password',
    note: 'The link works once, for {{ hours }} hour{% unless hours == 1 %}s{% endunless %}. If it was not you, ignore this email: your password stays unchanged.',
  },
  'password-changed': {
    subject: 'Your password was changed',
    lines: ['The password of the account {{ email }} was changed, and all devices were signed out.'],
    action: 'Sign in',
    note: 'If it was not you, reset your password at once and secure your mailbox: anyone who can read it can reset your password too.',
  },
  'keys-replaced': {
    subject: 'The keys of your projects were replaced',
    lines: [
      'You have confirmed the address {{ email }}, for which somebody, perhaps another person, had created an account before. Its password and its sessions have ended, and the API keys and webhook secrets of its {% if projects == 1 %}project were{% else %}{{ projects }} projects were{% endif %} replaced, and invitations to {% if projects == 1 %}it{% else %}them{% endif %} revoked.',
      '{% if members > 0 %}Its projects have {{ members }} other member{% unless members == 1 %}s{% endunless %}, who may see the new keys: remove everyone whom you do not know, and then replace the keys again.{% else %}Programs that use the old keys need the new ones, and receivers of webhooks the new secret within 24 hours.{% endif %} What was set up before stays, such as the addresses that the webhook steps of workflows call: look at those as well.',
    ],
    action: 'Look at the projects',
    note: 'If you created the account yourself, nothing is wrong: enter the new keys where the old ones are used.',
  },
  invitation: {
    subject: 'Join {{ projectName }}',
    lines: [`{{ invitedBy }} invites you to the project ${project} as {{ role | downcase }}.`],
    action: 'View the invitation',
    note: 'The link works once, for {{ days }} days. If you do not know the sender, ignore this email.',
  },
  'domain-verified': {
    subject: '{{ domain }} is verified',
    lines: [`The DNS records of {{ domain }} were found: ${project} may send email from it.`],
    action: 'Open the project',
    note: forAdmins,
  },
  'domain-unverified': {
    subject: '{{ domain }} is no longer verified',
    lines: [`The DNS records of {{ domain }} are no longer found. ${project} can no longer send from this domain.`, '{{ problem }}'],
    action: 'Open the project',
    note: forAdmins,
  },
  'billing-warning': {
    subject: '{{ projectName }} has used most of its emails',
    lines: [used, next],
    action: 'Look at the limits',
    note: forAdmins,
  },
  'billing-limit-reached': {
    subject: '{{ projectName }} has used all of its emails',
    lines: [used, `Further emails are refused until the limit is raised. ${next}`],
    action: 'Look at the limits',
    note: forAdmins,
  },
  'project-suspended': {
    subject: '{{ projectName }} is suspended',
    lines: [`The project ${project} is suspended: it can be read, but it sends nothing and cannot be changed.`, '{{ detail }}'],
    action: 'Look at the project',
    note: `${forAdmins} To have the suspension lifted, contact the operator of this installation.`,
  },
  'project-lifted': {
    subject: '{{ projectName }} is no longer suspended',
    lines: [`The suspension of the project ${project} is lifted: it can send and be changed again.`],
    action: 'Open the project',
    note: forAdmins,
  },
}
