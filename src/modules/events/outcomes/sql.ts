/** Whether a bounce that is logged (`line` names its row) says that there is no such address, as SQL. One that passes does not. */
export function isPermanent(line: string): string {
  return `coalesce(${line}.data ->> 'bounceType', 'Permanent') = 'Permanent'`
}

/**
 * Whether a line of the log (`line` names a row of `project_id`, `name`, `email_id` and `data`) counts its email as sent, as SQL: one
 * line of each email does, the first of its `email.sent` and its permanent bounce. A bounce says that it is the first: the mail server
 * `refused` the email at once, or it was reported `early`. An `email.sent` says that the email had `bounced` before. A bounce that
 * a version before logged says neither: it counts when the email is not recorded as sent by the time of counting.
 */
export function countsAsSent(line: string): string {
  const says = (key: string) => `coalesce(${line}.data ->> '${key}' = 'true', false)`
  const unsent = `(select m.sent_at is null from emails m where m.project_id = ${line}.project_id and m.id = ${line}.email_id)`
  return `case ${line}.name when 'email.sent' then not ${says('bounced')} when 'email.bounce' then ${isPermanent(line)}
         and case when ${line}.data ? 'refused' then ${says('refused')} or ${says('early')} else ${unsent} end end`
}
