/** Inserts contacts of a project ($1) as of $2, numbered from 1 to $3: one in five has the plan `pro`, one in five is not subscribed. */
export const fillContacts = `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
  select $1, 'cnt_' || lpad(n::text, 26, '0'), 'user' || n || '@example' || n % 50 || '.test', n % 5 > 0,
    jsonb_build_object('plan', case when n % 20 = 0 then 'team' when n % 4 = 0 then 'pro' else 'free' end,
      'orders', n * 7 % 100, 'city', 'city ' || n % 1000, 'seenAt', to_char($2::timestamptz - n % 400 * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
    $2::timestamptz - n % 700 * interval '1 day', $2
  from generate_series(1, $3::int) n`
