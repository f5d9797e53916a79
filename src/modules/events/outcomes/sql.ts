/** Whether a bounce that is logged (`line` names its row) says that there is no such address, as SQL. One that passes does not. */
export function isPermanent(line: string): string {
  return `coalesce(${line}.data ->> 'bounceType', 'Permanent') = 'Permanent'`
}

/**
 * Whether a line of the log (`line` names a row of `project_id`, `name`, `email_id` and `data`) counts its email as sent, as SQL: its
 * `email.sent`, or the permanent bounce of one that the mail server `refused` at once, which has no such line. A bounce that a version
 * before logged does not say whether it was a refusal: it counts when the email is not recorded as sent by the time of counting.
 */
export function countsAsSent(line: string): string {
  const unsent = `(select m.sent_at is null from emails m where m.project_id = ${line}.project_id and m.id = ${line}.email_id)`
  return `case ${line}.name when 'email.sent' then true when 'email.bounce' then ${isPermanent(line)}
         and case when ${line}.data ? 'refused' then ${line}.data ->> 'refused' = 'true' else ${unsent} end end`
}
