/** Whether a bounce that is logged (`line` names its row) says that there is no such address, as SQL. One that passes does not. */
export function isPermanent(line: string): string {
  return `coalesce(${line}.data ->> 'bounceType', 'Permanent') = 'Permanent'`
}

/**
 * Whether a line of the log (`line` names a row of `project_id`, `name`, `email_id` and `data`) counts its email as sent, as SQL: one
 * line of each email does, the first of its `email.sent`, its permanent bounce, and what else shows that it has left. They say that they are
 * the first: the mail server `refused` the email at once, or it was reported `early`. Those that its own delivery logs afterwards say that it
 * had `bounced`, or was `reported`, before. A bounce that a version before logged says neither: it counts when the email is not recorded as
 * sent by the time of counting.
 */
export function countsAsSent(line: string): string {
  const says = (key: string) => `coalesce(${line}.data ->> '${key}' = 'true', false)`
  const unsent = `(select m.sent_at is null from emails m where m.project_id = ${line}.project_id and m.id = ${line}.email_id)`
  return `case ${line}.name when 'email.sent' then not (${says('bounced')} or ${says('reported')}) when 'email.bounce' then ${isPermanent(line)}
         and not ${says('reported')} and case when ${line}.data ? 'refused' then ${says('refused')} or ${says('early')} else ${unsent} end
         else ${line}.name in ('email.delivery', 'email.open', 'email.click', 'email.complaint') and ${says('early')} end`
}
