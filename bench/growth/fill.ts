import type pg from 'pg'

/** Realistic rows: skewed scores, a few common tags; for each account a person and a monitor check, for some a finding and a document. */
export async function fill(client: pg.Client, workspaces: string[], from: number, to: number): Promise<void> {
  // Indexes are rebuilt after a table grows tenfold: updating them row by row would take several times as long.
  const rebuilt =
    to - from > 100_000 ? await dropIndexes(client, ['accounts', 'people', 'documents', 'monitor_events']) : []
  await client.query('create temp table if not exists added (workspace_id uuid, id uuid, n integer)')
  await client.query('truncate added')
  await client.query(
    `with made as (
       insert into accounts (workspace_id, id, name, domain, status, source, score, tags, industry, country, employees, created_at)
       select w, gen_random_uuid(), (array['Nordic','Blue','Prime','Atlas','Vertex','Müller'])[1 + n % 6] || ' ' || md5(n::text),
         'c' || n || '-' || left(md5(n::text), 6) || '.bench.example', (array['suggested','active','suggested','rejected','new'])[1 + n % 5], 'api',
         (100 * power(random(), 3))::int, case when n % 5 = 0 then array['common'] when n % 1000 = 1 then array['rare','q4'] else '{}'::text[] end,
         (array['Logistics','Software','Retail'])[1 + n % 3], 'Germany', n % 5000, now() - n * interval '1 second'
       from unnest($1::uuid[]) as w, generate_series($2::int, $3::int) as n
       returning workspace_id, id, employees
     ) insert into added select * from made`,
    [workspaces, from + 1, to],
  )
  for (const statement of [
    `insert into people (workspace_id, id, account_id, identity, full_name, title, job_level, country_code, email, sources)
     select workspace_id, gen_random_uuid(), id, 'p', 'Ann ' || md5(id::text), 'VP Sales', 'VP', 'DE', case when n % 3 = 0 then id || '@x.example' end, '{employee}'
     from added`,
    `insert into signal_detections (workspace_id, id, account_id, signal_id, signal_present, alpha, icp_fit, detected_at)
     select workspace_id, gen_random_uuid(), id, 'funding', false, 0, 0, current_date from added where n % 5 = 0`,
    `insert into documents (workspace_id, id, account_id, url, kind, source, text, hash)
     select workspace_id, gen_random_uuid(), id, 'https://c.example/' || id, 'page', 'website', repeat(md5(id::text), 15), decode(md5(id::text), 'hex')
     from added where n % 2 = 0`,
    `insert into monitor_events (workspace_id, id, account_id, url, status, search_status, meaningful, confidence, reason, created_at)
     select workspace_id, gen_random_uuid(), id, 'https://c.example/', 'unchanged', 'skipped', false, 1, 'Nothing new.', now() - n * interval '1 minute'
     from added`,
  ])
    await client.query(statement)
  for (const definition of rebuilt) await client.query(definition)
}

/** Drops the indexes that are not keys; returns the statements that create them again. */
async function dropIndexes(client: pg.Client, tables: string[]): Promise<string[]> {
  await client.query(`set maintenance_work_mem = '512MB'`)
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1::regclass[]) and not indisunique`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
