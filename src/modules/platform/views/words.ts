import type { Notice } from '../../notifications/shapes.ts'

/** What one kind of mail says; every piece is Liquid over the data of its notice. */
export interface Words {
  subject: string
  /** Paragraphs before the button. */
  lines: string[]
  /** The words on the button, which leads to the notice's path or, where it has none, to the installation. */
  action: string
  /** What stands under the link, smaller. */
  note: string
}

const project = '“{{ projectName }}”'
const mailOf = '{% if category == "all" %}all mail{% else %}{{ category }} mail{% endif %}'
const used = `${project} has used {{ used }} of the {{ limit }} mails a month it may send as ${mailOf}.`
const next = 'The count starts again on {{ periodEnd | date: "%B %-d, %Y" }}.'
const forAdmins = 'You get this mail because you are an owner or admin of the project.'

/** The mails of the installation to its own users. */
export const wordsOf: Record<Notice['kind'], Words> = {
  'verify-email': {
    subject: 'Confirm your email address',
    lines: ['Please confirm that {{ email }} is your address.'],
    action: 'Confirm my address',
    note: 'The link works once, for {{ hours }} hours. If you did not make an account, you need not do anything.',
  },
  'reset-password': {
    subject: 'Reset your password',
    lines: ['Somebody, hopefully you, asked for a new password for the account of {{ email }}.'],
    action: 'Choose a new password',
    note: 'The link works once, for {{ hours }} hour{% unless hours == 1 %}s{% endunless %}. If it was not you, you need not do anything: your password stays as it is.',
  },
  'password-changed': {
    subject: 'Your password was changed',
    lines: ['The password of the account of {{ email }} was changed, and every device was signed out.'],
    action: 'Sign in',
    note: 'If it was not you, reset your password at once, and look after your mailbox: whoever reads it can reset it too.',
  },
  invitation: {
    subject: 'Join {{ projectName }}',
    lines: [`{{ invitedBy }} invites you to the project ${project} as {{ role | downcase }}.`],
    action: 'Look at the invitation',
    note: 'The link works once, for {{ days }} days. If you do not know who this is, you need not do anything.',
  },
  'member-added': {
    subject: 'You are now a member of {{ projectName }}',
    lines: [`{{ addedBy }} has added you to the project ${project} as {{ role | downcase }}.`],
    action: 'Open the project',
    note: 'If you do not want to be in it, you can leave it there.',
  },
  'domain-verified': {
    subject: '{{ domain }} is verified',
    lines: [`The DNS records of {{ domain }} were found: ${project} may send mail from it.`],
    action: 'Open the project',
    note: forAdmins,
  },
  'domain-unverified': {
    subject: '{{ domain }} is no longer verified',
    lines: [`The DNS records of {{ domain }} are not found any more, so that ${project} can no longer send from it.`, '{{ problem }}'],
    action: 'Open the project',
    note: forAdmins,
  },
  'billing-warning': {
    subject: '{{ projectName }} has used most of its mails',
    lines: [used, next],
    action: 'Look at the limits',
    note: forAdmins,
  },
  'billing-limit-reached': {
    subject: '{{ projectName }} has used all of its mails',
    lines: [used, `More is refused until the limit is raised. ${next}`],
    action: 'Look at the limits',
    note: forAdmins,
  },
  'project-suspended': {
    subject: '{{ projectName }} is suspended',
    lines: [`The project ${project} is suspended: it can be read, but it sends nothing and cannot be changed.`, '{{ detail }}'],
    action: 'Look at the project',
    note: `${forAdmins} To have it lifted, write to the operator of this installation.`,
  },
  'project-lifted': {
    subject: '{{ projectName }} works again',
    lines: [`The suspension of the project ${project} is lifted: it can send and be changed again.`],
    action: 'Open the project',
    note: forAdmins,
  },
}
