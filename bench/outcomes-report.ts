import pg from 'pg'
import { timeOf } from './measure.ts'
import { isQuick, report } from './results.ts'
import { caller, startBenchService } from './support.ts'

/**
 * The results report over twelve months, by each grouping, with 200,000 findings and 50,000 work items of 20,000 accounts and
 * 5,000 deals. The limit is SQL that only counts the same findings by the same group.
 */

const ACCOUNTS = isQuick ? 2_000 : 20_000
const ROUNDS = 7
const AT_MOST_S = 1
/** Five times as long as counting. */
const AIM = 0.2

await using service = await startBenchService()
const { connection, workspaceId } = service
const client = new pg.Client(connection)
await client.connect()

console.log(`filling ${(10 * ACCOUNTS).toLocaleString('en')} findings of ${ACCOUNTS.toLocaleString('en')} accounts …`)
await client.query(`
  set session my.workspace = '${workspaceId}';
  select setseed(0.5);
  create function pg_temp.ws() returns uuid language sql stable as $$ select current_setting('my.workspace')::uuid $$;

  insert into members (workspace_id, id, name, email, role, visibility)
  select pg_temp.ws(), gen_random_uuid(), 'Member ' || n, 'm' || n || '@x.example', 'member', 'all' from generate_series(2, 20) as n;

  create temp table account as
  select n, uuidv7() as id, 'c' || n || '.com' as domain from generate_series(0, ${ACCOUNTS - 1}) as n;
  insert into accounts (workspace_id, id, name, domain, status, source, owner_id)
  select pg_temp.ws(), account.id, 'Company ' || n, domain, 'active', 'api', case when n % 5 > 0 then m.id end
  from account join (select id, row_number() over (order by id) as at from members where workspace_id = pg_temp.ws()) as m
    on m.at = 1 + (n / 5) % 20;

  -- Ten findings of each account, one after the other over the year, with two proofs each.
  create temp table finding as
  select account.n, nth, account.id as account_id, domain, uuidv7(at - now()) as id, at,
    (array['https://www.' || domain, 'https://wire.example', 'https://news.example', 'https://filings.example'])
      [1 + (account.n + nth) % 4] || '/' || account.n || '/' || nth as url
  from account, generate_series(0, 9) as nth,
    lateral (select now() - interval '1 day' * (364 - 36 * nth - 36 * (0.5 + account.n % 7 / 14.0) * 0.9) as at) as t;
  insert into documents (workspace_id, id, account_id, url, kind, source, text, hash)
  select pg_temp.ws(), uuidv7(), account_id, url, 'article', (array['website', 'globenewswire', 'gdelt', 'sec'])[1 + (n + nth) % 4],
    repeat('The company announced today. ', 50), sha256(url::bytea)
  from finding;

  insert into signal_detections (workspace_id, id, account_id, signal_id, signal_present, alpha, icp_fit, detected_at, headline,
    narrative, drafted_message_md, evidence, confidence, created_at)
  select pg_temp.ws(), finding.id, account_id, signals.id, true, 60, 50, at::date, 'Raised a round', repeat('What it means. ', 20),
    repeat('Hi, congratulations. ', 20), (
      select jsonb_agg(jsonb_build_object('claim', 'Raises $20 million', 'quote', repeat('The company announced today. ', 6),
        'details', null, 'source_url', proof, 'published_date', at::date, 'judged_by', 'f3a91c2b7d04'))
      from unnest(array[url, 'https://www.' || domain || '/press/' || nth]) as proof
    ), 0.9, at
  from finding join (select id, row_number() over (order by id) as nr, count(*) over () as count from signals where workspace_id = pg_temp.ws()) as signals
    on nr = 1 + (n + nth) % count;

  -- Five items for each two accounts, with three or four findings each; one in ten findings has none.
  create temp table item as
  select n, account_id, count_of, nth_item, uuidv7() as id, min(at) as opened_at, max(at) + interval '2 days' as closed_at,
    n * 7 + nth_item * 3 as mix
  from (select *, 2 + n % 2 as count_of, least(nth / (3 + (n + 1) % 2), 1 + n % 2) as nth_item from finding where (n + nth) % 10 > 0) as f
  group by n, account_id, count_of, nth_item;
  insert into work_items (workspace_id, id, account_id, account_status, state, outcome, changed_at, opened_at, created_at)
  select pg_temp.ws(), id, account_id, 'active', state, case when state = 'done' then
      (array['contacted', 'contacted', 'pushed', 'not_relevant', 'wrong'])[1 + mix % 5] end, closed_at, opened_at, opened_at
  from item, lateral (select case when nth_item = count_of - 1 then 'open' else 'done' end as state) as s;
  insert into work_item_events (workspace_id, record_id, kind, work_item_id, created_at)
  select pg_temp.ws(), f.id, 'detection', item.id, f.at
  from finding as f join item on item.n = f.n and item.nth_item = least(f.nth / (3 + (f.n + 1) % 2), 1 + f.n % 2)
  where (f.n + f.nth) % 10 > 0;

  -- What people did: a call or an email in the middle, the end, replies and meetings; one item in twenty was opened again.
  insert into account_activities (workspace_id, id, account_id, kind, work_item_id, data, created_at)
  select pg_temp.ws(), uuidv7(at - now()), account_id, kind, item.id, data, at
  from item, lateral (values
    ('snoozed', opened_at + interval '1 hour', '{}'::jsonb, true),
    ((array['emailed', 'called', 'copied'])[1 + mix % 3], opened_at + interval '30 hours', '{}', mix % 5 < 2),
    ('done', closed_at, jsonb_build_object('outcome', (array['contacted', 'contacted', 'pushed', 'not_relevant', 'wrong'])[1 + mix % 5]),
      nth_item < count_of - 1),
    ('reopened', closed_at + interval '1 day', '{}', mix % 20 = 0),
    ('noted', closed_at + interval '2 days', '{}', true),
    ((array['replied', 'meeting'])[1 + mix % 2], closed_at + interval '5 days', '{}', mix % 6 = 0)
  ) as line (kind, at, data, is_there) where is_there;

  insert into people (workspace_id, id, account_id, identity, full_name, sources)
  select pg_temp.ws(), id, id, 'p' || n, 'Person ' || n, '{employee}' from account where n % 10 = 0;
  insert into person_moves (workspace_id, id, person_id, key, kind, to_employer, evidence, created_at)
  select pg_temp.ws(), id, account_id, 'm' || n, 'joined', 'Company', '[{"source": "team pages"}]', opened_at
  from item where n % 10 = 0 and nth_item = 0;
  insert into work_item_events (workspace_id, record_id, kind, work_item_id, created_at)
  select pg_temp.ws(), id, 'move', id, opened_at from item where n % 10 = 0 and nth_item = 0;

  insert into crm_syncs (workspace_id, provider, portal) values (pg_temp.ws(), 'crm_one', '1');
  insert into pulled_companies (workspace_id, provider, crm_id, name, account_id, matched_by, modified_at)
  select pg_temp.ws(), 'crm_one', 'c' || n, 'Company', id, 'domain', now() from account where n % 2 = 0;
  insert into pulled_deals (workspace_id, provider, crm_id, name, company_crm_id, is_closed, is_won, opened_on, modified_at)
  select pg_temp.ws(), 'crm_one', 'd' || n, 'Deal', 'c' || n, n % 3 > 0, n % 3 = 1, now()::date - (n * 13) % 365, now()
  from account where n % 4 = 0;`)
await client.query('vacuum analyze')
await client.query('checkpoint')

const call = caller(service)
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const [from, to] = [day(364), day(0)]

/** What counts the findings by group. */
const plain = {
  signal: 'select signal_id, count(*) from signal_detections as d',
  source: 'select name, count(*) from signal_detections as d, unnest(source_names) as name',
  owner: `select owner_id, count(*) from signal_detections as d
    join accounts on accounts.workspace_id = d.workspace_id and accounts.id = d.account_id`,
}
for (const [group, text] of Object.entries(plain)) {
  const query = `${text} where d.workspace_id = $1 and is_shown and d.created_at >= $2::date and d.created_at < $3::date + 1 group by 1`
  const path = `/v1/reports/outcomes?from=${from}&to=${to}&group_by=${group}`
  const limit = await timeOf(async () => void (await client.query(query, [workspaceId, from, to])), ROUNDS)
  const ours = await timeOf(async () => void (await call('GET', path)), ROUNDS)
  const name = `results of a year, by ${group}`
  report({ path: name, ours: ours / 1000, unit: 's', atMost: AT_MOST_S })
  report({ path: `${name}, rate`, ours: 1000 / ours, unit: 'a second', limit: 1000 / limit, aim: AIM })
}
await client.end()
