import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Kysely, PostgresDialect } from 'kysely'
import { createTransport } from 'nodemailer'
import pg from 'pg'
import { pino } from 'pino'
import { startSmtp } from '../sandbox/smtp.ts'
import { loadConfig } from '../src/config/config.ts'
import type { Database } from '../src/db/schema.ts'
import { mergeAlert } from '../src/delivery/alerts/match-store.ts'
import { ALERT_JOBS } from '../src/delivery/job.ts'
import { Queue } from '../src/jobs/queue.ts'
import { watchMemory } from './measure.ts'
import { isQuick, median, report } from './results.ts'
import { serveBeside, startBenchService, stop } from './support.ts'

/**
 * The time from when the digests of 1,000 members are due until the mail server has accepted the last one, compared with bare
 * nodemailer sending the same messages over as many connections; the peak memory of the worker at three numbers of members;
 * and the time to match a finding with the rules. Each member has a rule and accounts of their own. MAIL_PER_MINUTE is at its
 * maximum, so that it is not what is measured.
 */

const MEMBERS = isQuick ? 200 : 1_000
/** For the memory, each in a new worker. */
const OTHERS = isQuick ? [50, 600] : [100, 3_000]
const WARM_UP = 20
const ACCOUNTS_EACH = 5
const FINDINGS_EACH = 2
const MATCHED = 50
/** As many as the service opens. */
const CONNECTIONS = 5
const RECEIVE = 'receive'

const EVIDENCE = JSON.stringify([
  {
    claim: 'Raises $20 million',
    quote: 'The company announced today that it has closed its Series B of $20 million.',
    details: null,
    source_url: 'https://news.example/article',
    published_date: '2026-11-01',
  },
])

type Received = { to: string; subject: string; text: string; html: string }

if (process.argv[2] === RECEIVE) {
  // In a separate process, so that it does not compete with the measured code for one core.
  const server = await startSmtp({ encryption: 'none' })
  process.on('message', async (count: number) => {
    const { mails } = server
    await server.until(() => mails.length >= count)
    process.send?.('accepted')
    const received = mails.splice(0)
    process.send?.(received.map(({ to, headers, text, html }) => ({ to: to[0], subject: headers.subject, text, html })))
  })
  process.send?.({ ...server.env, OUTBOUND_CONNECT_TO: server.connectTo })
} else {
  await measure()
}

async function measure(): Promise<void> {
  const receiver = fork(import.meta.filename, [RECEIVE])
  const [mailEnv] = (await once(receiver, 'message')) as [
    Record<'SMTP_URL' | 'MAIL_FROM' | 'OUTBOUND_CONNECT_TO', string>,
  ]
  const env = {
    ...mailEnv,
    SMTP_TLS: 'none',
    MAIL_PER_MINUTE: '100000',
    PUBLIC_URL: 'https://bellwether.example',
  }
  await using service = await startBenchService({}, ['--only', 'api'])
  const { connection, workspaceId, dataDir } = service
  const pool = new pg.Pool({ ...connection, max: 4 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const log = pino({ level: 'silent' })
  const job = ALERT_JOBS.email
  const queue = new Queue({ connection, config: loadConfig({ DATA_DIR: dataDir }), log, jobs: [job], works: false })
  await queue.start()

  /** Runs until the mail server has accepted this many messages. Returns the seconds and the messages. */
  async function timeUntilAccepted(count: number, run: () => Promise<unknown>): Promise<[number, Received[]]> {
    const began = performance.now()
    receiver.send(count)
    const accepted = once(receiver, 'message')
    await run()
    await accepted
    const seconds = (performance.now() - began) / 1000
    const [mails] = (await once(receiver, 'message')) as [Received[]]
    return [seconds, mails]
  }

  /** Sends the digests of new members in a new worker. */
  async function sendDigests(members: number) {
    const alerts = await addDigests(pool, workspaceId, members)
    for (const alert_id of alerts)
      await queue.enqueue(db, job, { workspace_id: workspaceId, alert_id }, { startAfter: 3600 })
    await pool.query('vacuum analyze')
    await pool.query('checkpoint')
    const worker = await serveBeside(service, env, ['--only', 'worker'])
    const peak = watchMemory(worker.child.pid)
    const [seconds, mails] = await timeUntilAccepted(members, async () => {
      await pool.query('update alert_deliveries set next_attempt_at = now() where alert_id = any($1::uuid[])', [alerts])
      await pool.query('update pgboss.job set start_after = now() where name = $1', [job.name])
    })
    const memory = peak()
    await stop(worker.child)
    const { rows } = await pool.query(
      `select from alert_deliveries where alert_id = any($1::uuid[]) and state = 'sent' and attempts = 1`,
      [alerts],
    )
    const receivers = new Set(mails.map(({ to }) => to)).size
    if (rows.length !== members || receivers !== members)
      throw new Error(`${rows.length} digests were sent to ${receivers} members instead of ${members}`)
    return { seconds, mails, memory }
  }

  async function sendBare(mails: Received[]): Promise<number> {
    const { SMTP_URL, MAIL_FROM, OUTBOUND_CONNECT_TO } = mailEnv
    const { username, password } = new URL(SMTP_URL)
    const [host, port] = (OUTBOUND_CONNECT_TO.split('=')[1] ?? '').split(':')
    const transport = createTransport({
      pool: true,
      host,
      port: Number(port),
      ignoreTLS: true,
      auth: { user: username, pass: decodeURIComponent(password) },
      maxConnections: CONNECTIONS,
    })
    const [seconds] = await timeUntilAccepted(mails.length, () =>
      Promise.all(mails.map((mail) => transport.sendMail({ from: MAIL_FROM, ...mail }))),
    )
    transport.close()
    return seconds
  }

  try {
    const written = (count: number) => count.toLocaleString('en')
    console.log(`${written(MEMBERS * ACCOUNTS_EACH * FINDINGS_EACH)} findings for ${written(MEMBERS)} members …`)
    // The first worker of a database also runs jobs that are due once.
    await sendDigests(WARM_UP)
    await pool.query('update alert_rules set is_enabled = false')
    const { seconds, mails, memory } = await sendDigests(MEMBERS)
    const limit = await sendBare(mails)
    const bytes = median(mails.map(({ text, html }) => text.length + html.length))
    console.log(`a digest has ${written(bytes)} characters; bare nodemailer needs ${limit.toFixed(1)} s`)
    report({ path: `digests of ${written(MEMBERS)} members`, ours: seconds, unit: 's', atMost: 60 })
    const rates = { ours: MEMBERS / seconds, limit: MEMBERS / limit }
    report({ path: 'digests, mails', ...rates, unit: 'mails/s', aim: null })
    const matching = await timeToMatch(pool, db, workspaceId)
    report({ path: `a finding matched with ${written(MEMBERS)} rules`, ours: matching, unit: 'ms', atMost: null })

    const peaks = new Map([[MEMBERS, memory]])
    for (const members of OTHERS) peaks.set(members, (await sendDigests(members)).memory)
    const sorted = [...peaks].sort(([a], [b]) => a - b)
    for (const [members, megabytes] of sorted)
      report({ path: `digests: worker, ${written(members)} members`, ours: megabytes, unit: 'MB', atMost: null })
    // A run of 100 ends before the heap has its working size, so the sizes after it are compared.
    const [, [, usual = 0] = [], [, most = 0] = []] = sorted
    report({ path: 'digests: memory, three times the members', ours: most / usual, unit: 'times', atMost: 1.15 })
  } finally {
    await queue.stop(1)
    await pool.end()
    receiver.kill()
  }
}

/** Stores members with a weekday rule by mail, their accounts, contacts and findings, and digests with them. Returns the digests. */
async function addDigests(pool: pg.Pool, workspaceId: string, members: number): Promise<string[]> {
  const batch = crypto.randomUUID().slice(0, 8)
  await pool.query(
    `with member as (
       insert into members (workspace_id, id, name, email, role, visibility)
       select $1, gen_random_uuid(), 'Member ' || n, $3 || n || '@team.example', 'member', 'scoped'
       from generate_series(1, $2::int) as n returning id, email
     )
     insert into alert_rules (workspace_id, id, member_id, name, events, only_mine, recipient, to_member_id, channel, schedule)
     select $1, gen_random_uuid(), id, 'My accounts', '{signal.detected}', true, 'member', id, 'email', 'weekdays' from member`,
    [workspaceId, members, batch],
  )
  await pool.query(
    `with account as (
       insert into accounts (workspace_id, id, name, domain, status, source, score, icp_fit, owner_id, why_now_md)
       select $1, gen_random_uuid(), 'Company ' || n, $2 || row_number() over () || '.com', 'active', 'api', 20 * n, 70, id,
         'Company ' || n || ' raised **$20 million** and hires a team in Rotterdam.'
       from members, generate_series(1, $3::int) as n where workspace_id = $1 and email like $2 || '%'
       returning id, owner_id, name
     ), person as (
       insert into people (workspace_id, id, account_id, identity, full_name, title, email, sources)
       select $1, gen_random_uuid(), id, 'p', 'Mara Lind', 'CEO', 'mara@x.example', '{employee}' from account
       returning id, account_id
     ), found as (
       insert into signal_detections (workspace_id, account_id, id, signal_id, signal_present, alpha, icp_fit, detected_at,
         headline, drafted_message_md, evidence, confidence)
       select $1, account.id, gen_random_uuid(), 'funding', true, 60, 50, current_date, account.name || ' raises $20 million',
         E'Hi Mara,\\n\\nI read that you raised a round. Teams that grow often ask us for help.', $4::jsonb, 0.9
       from account, generate_series(1, $5::int) returning id, account_id
     ), item as (
       insert into work_items (workspace_id, id, account_id, owner_id, account_status, act_now, factors, lead_id, person_id)
       select distinct on (account.id) $1::uuid, gen_random_uuid(), account.id, account.owner_id, 'active', 60, '[]'::jsonb,
         found.id, person.id
       from account join found on found.account_id = account.id join person on person.account_id = account.id
     ), digest as (
       insert into alerts (workspace_id, id, type, rule_id, member_id)
       select $1, gen_random_uuid(), 'digest', rule.id, rule.member_id
       from alert_rules as rule join members on members.id = rule.member_id
       where rule.workspace_id = $1 and members.email like $2 || '%' returning id, member_id
     ), delivery as (
       insert into alert_deliveries (workspace_id, alert_id, channel, next_attempt_at)
       select $1, id, 'email', now() + interval '1 hour' from digest
     )
     insert into alert_items (workspace_id, receiver, record_id, alert_id)
     select $1, 'email:' || digest.member_id, found.id, digest.id
     from found join account on account.id = found.account_id join digest on digest.member_id = account.owner_id`,
    [workspaceId, batch, ACCOUNTS_EACH, EVIDENCE, FINDINGS_EACH],
  )
  const { rows } = await pool.query<{ id: string }>(
    'select alerts.id from alerts join members on members.id = member_id where email like $1',
    [`${batch}%`],
  )
  return rows.map(({ id }) => id)
}

/** The median time to add a new finding to the digests of the members that it concerns, in milliseconds. */
async function timeToMatch(pool: pg.Pool, db: Kysely<Database>, workspaceId: string): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into signal_detections (workspace_id, account_id, id, signal_id, signal_present, alpha, icp_fit, detected_at,
       headline, evidence, confidence)
     select workspace_id, id, gen_random_uuid(), 'funding', true, 60, 50, current_date, 'Opens an office', $2::jsonb, 0.9
     from accounts where workspace_id = $1 limit $3 returning id`,
    [workspaceId, EVIDENCE, MATCHED],
  )
  const took: number[] = []
  for (const { id } of rows) {
    const began = performance.now()
    const alert = { type: 'signal.detected', run_id: null, record_ids: [id], delaySeconds: 0 } as const
    const { deliveries } = await mergeAlert(db, workspaceId, alert)
    took.push(performance.now() - began)
    if (deliveries.length > 1) throw new Error(`a finding reached ${deliveries.length} members instead of its owner`)
  }
  return median(took)
}
