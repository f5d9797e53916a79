import { statement } from '../../../kit/postgres/db.ts'
import { emailEventData, hasLeftForCertain, isCopied } from '../sql.ts'

/**
 * How many opens, and how many clicks, of an email are recorded, of people and of programs each: whoever has received one email can ask
 * for its picture as often as they like.
 */
export const maxRecorded = 1_000

// Whether an email that is not recorded as sent may have arrived by now, by its row: the answer about an attempt was lost, and the last one
// has ended. What waits for copies only says nothing about it.
const mayHaveArrived = (email: string, now: string): string => `coalesce((
        select case when d.copies is not null then ${email}.uncertain else d.uncertain and d.claim is null and (d.handed_at is null or ${now} - d.handed_at >= interval '2 seconds') end
        from deliveries d where d.project_id = ${email}.project_id and d.email_id = ${email}.id limit 1), ${email}.uncertain)`

// Whether an email went to others (cc, bcc), but for certain not to its recipient, by its row.
const onlyCopiesLeft = (
  email: string,
): string => `(${email}.status in ('FAILED', 'REJECTED') and not ${hasLeftForCertain(email)} and not ${email}.uncertain
        and coalesce((select ${isCopied('o')} from email_contents o where o.project_id = ${email}.project_id and o.id = ${email}.content_id limit 1), false))`

/**
 * Counts a group of opens and clicks and logs each of them ($1 projects, $2 ids, $3 open or click, $4 links, $5 why it looks
 * like a machine, $6 event ids, $7 now, $8 now as ISO text, $9 the lowest id of an event of the last second, $10 when that began, $11 whether a provider reports it). A status only moves
 * forward: SENT < DELIVERED < OPENED < CLICKED < BOUNCED < COMPLAINED; FAILED gives way, which the line of the log says. What happens within 2 s of sending counts as a machine's:
 * mail scanners open every link at once, some of them before they answer; and so do different links of an email within a second. Of an
 * email that no mail server is known to have accepted only a provider, or a person once the answer about an attempt was lost, proves that it has arrived:
 * then it counts as sent (`early`), once if it has ended in another way (`proved_at`), and what programs do changes its counts alone. What is beyond `maxRecorded` of an email
 * changes nothing. It writes a table of another
 * module, an exception that test/owners.test.ts lists: at this rate counter and log line must be one statement.
 */
export const recordEngagement = statement<{ id: string }>(
  'emails_record_engagement',
  `with input as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $11::bool[]) with ordinality
      as i(project_id, id, kind, link, machine, event_id, reported, ord)
  ), judged as materialized (
    select i.project_id, i.id, i.kind, i.link, i.event_id, i.reported and not ${onlyCopiesLeft('e')} as reported, i.ord, e.opens, e.clicks, e.machine_opens, e.machine_clicks, coalesce(i.machine,
      case when $7::timestamptz - e.sent_at < interval '2 seconds' then 'within 2 seconds of sending' end,
      case when (not i.reported or ${onlyCopiesLeft('e')}) and not ${hasLeftForCertain('e')} and not ${mayHaveArrived('e', '$7')} then 'before a mail server accepted it' end,
      case when i.kind = 'click' and (
        exists (select from input o where o.project_id = i.project_id and o.id = i.id and o.kind = 'click' and o.link <> i.link)
        or exists (select from events v where v.project_id = e.project_id and v.contact_id = e.contact_id and v.id >= $9
          and v.created_at >= $10::timestamptz and v.email_id = e.id and v.name = 'email.click' and v.data ->> 'link' <> i.link))
        then 'several links within a second' end) as machine
    from input i cross join lateral (select * from emails o where o.project_id = i.project_id and o.id = i.id limit 1) e
  ), recorded as materialized (
    select * from (
      select j.*, case when j.machine is null then case j.kind when 'open' then j.opens - j.machine_opens else j.clicks - j.machine_clicks end
          else case j.kind when 'open' then j.machine_opens else j.machine_clicks end end
        + row_number() over (partition by j.project_id, j.id, j.kind, j.machine is null order by j.ord) as reached
      from judged j) j
    where j.reached <= ${maxRecorded}
  ), tally as (
    select project_id, id, count(*) filter (where kind = 'open')::int as opens, count(*) filter (where kind = 'click')::int as clicks,
      count(*) filter (where kind = 'open' and machine is not null)::int as machine_opens,
      count(*) filter (where kind = 'click' and machine is not null)::int as machine_clicks,
      bool_or(reported or machine is null) as proves
    from recorded group by project_id, id order by project_id, id
  ), changed as (
    update emails e set
      opens = e.opens + t.opens, clicks = e.clicks + t.clicks,
      machine_opens = e.machine_opens + t.machine_opens, machine_clicks = e.machine_clicks + t.machine_clicks,
      proved_at = case when t.proves and not ${hasLeftForCertain('e')} and e.status in ('FAILED', 'REJECTED', 'CANCELLED', 'SUPPRESSED') then $7 else e.proved_at end,
      opened_at = case when t.opens > 0 then coalesce(e.opened_at, $7) else e.opened_at end,
      clicked_at = case when t.clicks > 0 then coalesce(e.clicked_at, $7) else e.clicked_at end,
      status = case
        when coalesce(e.sent_at, e.delivered_at) is null and not t.proves then e.status
        when e.status in ('PENDING', 'SENDING', 'FAILED', 'SENT', 'DELIVERED', 'OPENED') and t.clicks > 0 then 'CLICKED'
        when e.status in ('PENDING', 'SENDING', 'FAILED', 'SENT', 'DELIVERED') then 'OPENED'
        else e.status end,
      updated_at = $7
    from tally t where e.project_id = t.project_id and e.id = t.id
    returning e.*, old.status as status_before, old.proved_at as proved_before, old.opens as opens_before, old.clicks as clicks_before,
      old.opens - old.machine_opens as person_opens_before, old.clicks - old.machine_clicks as person_clicks_before
  ), counted as (
    select i.*, row_number() over (partition by i.project_id, i.id, i.kind order by i.ord) as nth,
      row_number() over (partition by i.project_id, i.id, i.kind, i.machine is null order by i.ord) as person_nth from recorded i
  ), logged as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select e.project_id, i.event_id, 'email.' || i.kind, e.contact_id, e.id,
      ${emailEventData('e', 'b')} || jsonb_build_object('bot', i.machine is not null, 'botReason', i.machine, 'isFirstByPerson', i.machine is null
        and case i.kind when 'open' then e.person_opens_before else e.person_clicks_before end + i.person_nth = 1)
      || case i.kind
        when 'open' then jsonb_build_object('openedAt', $8::text, 'opens', e.opens_before + i.nth, 'isFirstOpen', e.opens_before + i.nth = 1)
        else jsonb_build_object('link', i.link, 'clickedAt', $8::text, 'clicks', e.clicks_before + i.nth, 'isFirstClick', e.clicks_before + i.nth = 1)
      end
      || case when e.status_before = 'FAILED' and e.status <> 'FAILED' and row_number() over (partition by e.project_id, e.id order by i.ord) = 1
        then jsonb_build_object('replaces', e.status_before) else '{}' end
      || case when e.proved_before is null and e.proved_at is not null and row_number() over (partition by e.project_id, e.id order by i.ord) = 1
        then jsonb_build_object('early', true) else '{}' end, $7
    from counted i
    join changed e on e.project_id = i.project_id and e.id = i.id
    left join lateral (select * from email_contents o where o.project_id = e.project_id and o.id = e.content_id limit 1) b on true
    where (select c.deleted_at is null from contacts c where c.project_id = e.project_id and c.id = e.contact_id limit 1)
    order by i.ord
  )
  select id from changed`,
)

/** An email ($2) that was sent from a domain ($3); no row for another. Its content is looked up by its whole key, whatever the statistics say. */
export const findSentFrom = statement<object>(
  'emails_find_sent_from',
  `select 1 from emails e
   cross join lateral (select o.from_address from email_contents o where o.project_id = e.project_id and o.id = e.content_id limit 1) c
   where e.project_id = $1 and e.id = $2 and e.sent_at is not null and lower(split_part(c.from_address, '@', 2)) = $3`,
)
