import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { startInternet } from '../../sandbox/internet.ts'
import { startSmtp } from '../../sandbox/smtp.ts'
import { createSlack } from '../../sandbox/vendors/slack.ts'
import { saveConnection } from '../../src/resources/connections/store.ts'
import { newId } from '../../src/shared/ids.ts'
import { detect } from '../support/alerts.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { beside, type Running, run, stop } from '../support/process.ts'
import { scene } from '../support/scene.ts'
import { ADMIN_KEY, testService } from '../support/service.ts'
import { startTimeMachine } from '../support/time-machine.ts'
import {
  type Account,
  type Delivery,
  expectedDeliveries,
  type Finding,
  isInHour,
  type Person,
  type Rule,
} from './month-model.ts'
import { Draws } from './seeded.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
/** Summer time ends on 25 October in Berlin and on 1 November in New York. */
const MONTH = Date.parse('2026-10-15T00:00:00Z')
const DAYS = 31
const ACCOUNTS = 200
const KILLS_PER_DAY = 2
/** A killed service is restarted after so long: its leases have expired, and its alerts count as stalled. */
const DOWNTIME = 3 * MINUTE
const SIGNALS = ['funding', 'layoffs', 'acquisition']
/** Minutes of an hour in which nothing is due, also until a restart. */
const QUIET_MINUTES = [12, 16, 44, 48]
/** At this time accounts change hands; it is the middle of a week, and digests wait. */
const HANDOVER = Date.parse('2026-10-29T10:05:00Z')
const STANDBY = fileURLToPath(new URL('../support/standby.ts', import.meta.url))
/** The longest time from when a message is due to its arrival, with a restart between. */
const LATEST = 10 * MINUTE
/** The limits of what a message lists. */
const LISTED = { email: 20, chat: 5 }

/** Always the same month: its digests list all their accounts. */
const draws = new Draws(1)

const person = (name: string, zone: string, visibility: Person['visibility'], role: Person['role'] = 'member') => ({
  ...{ name, zone, visibility, role },
  email: `${name.toLowerCase()}@team.example`,
})
const ana = person('Ana', 'America/New_York', 'all', 'admin')
const ben = person('Ben', 'America/New_York', 'scoped')
const clara = person('Clara', 'Europe/Berlin', 'all')
const dirk = person('Dirk', 'Europe/Berlin', 'scoped')
const esha = person('Esha', 'Asia/Kolkata', 'all')
const farid = person('Farid', 'Asia/Kolkata', 'scoped')
const PEOPLE = [ana, ben, clara, dirk, esha, farid]

const weekdays = { schedule: 'weekdays' } as const
const mondays = { schedule: 'mondays' } as const
const RULES: Rule[] = [
  { by: ana, channel: 'chat', chat_channel: '#deals', ...weekdays, tags: ['strategic'], signals: ['funding'] },
  { by: ana, channel: 'email', ...mondays, min_score: 90 },
  // Takes precedence over the scheduled direct messages of the owner.
  { by: ana, channel: 'chat_dm', recipient: 'owner', signals: ['acquisition'], min_score: 30 },
  { by: ben, channel: 'email', ...weekdays },
  { by: ben, channel: 'email', signals: ['acquisition', 'layoffs'], min_score: 50 },
  { by: clara, channel: 'email', ...weekdays, signals: ['funding'], statuses: ['active', 'new'] },
  { by: clara, channel: 'chat_dm', min_score: 92 },
  { by: clara, channel: 'email', signals: ['layoffs'], is_enabled: false },
  { by: dirk, channel: 'chat_dm', ...weekdays, signals: ['funding', 'acquisition'], min_score: 40 },
  { by: dirk, channel: 'email', ...mondays, hour: 17, signals: ['layoffs', 'funding'] },
  { by: esha, channel: 'email', ...weekdays, only_mine: true },
  { by: esha, channel: 'email', tags: ['strategic', 'renewal'], statuses: ['active'] },
  { by: esha, channel: 'chat_dm', statuses: ['suggested', 'rejected'] },
  { by: farid, channel: 'email', signals: ['layoffs'] },
  { by: farid, channel: 'chat_dm', ...mondays, hour: 9, signals: ['funding'], min_score: 65 },
]

type Arrival = { way: string; id: string; findings: string[]; at: number; start: number }
const arrivals: Arrival[] = []
/** Kills the service at a message that arrives: before the reply, or some milliseconds later. */
type Kill = { atMessage: number; delayMs: number | null; isStarted: boolean }
let kill: Kill | null = null
let running: Running | null = null
let starts = 0

function arrived(way: string, id: string, text: string): void {
  const findings = [...new Set(text.match(/Event \d{4}/g))].sort()
  arrivals.push({ way, id: id || findings.join(), findings, at: machine.now(), start: starts })
  if (!kill || --kill.atMessage !== 0) return
  kill.isStarted = true
  const child = running?.child
  if (kill.delayMs === null) child?.kill('SIGKILL')
  else setTimeout(() => child?.kill('SIGKILL'), kill.delayMs)
}

const slack = createSlack()
const internet = await startInternet((request) => {
  if (request.url.hostname !== 'slack.com') return null
  const before = slack.messages.length
  const answer = slack.answer(request, { today: '2026-10-15', companies: [], stories: [], filings: [] })
  for (const { channel, text, blocks } of slack.messages.slice(before))
    arrived(
      channel.startsWith('U') ? `chat_dm ${channel.slice(1)}` : `chat ${channel}`,
      '',
      text + JSON.stringify(blocks),
    )
  return answer
})
const smtp = await startSmtp({
  authority: internet.authority,
  onMail: ({ to, message_id, text }) => arrived(`email ${to.join()}`, message_id, text ?? ''),
})
const folder = mkdtempSync(join(tmpdir(), 'bellwether-month-'))
const machine = await startTimeMachine({ at: MONTH - DAY, folder })
after(async () => {
  await machine[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
  await internet[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})
// The API, and the database: the service that sends is a separate process, so that it can be killed.
const service = await testService({
  databaseUrl: machine.databaseUrl,
  env: { BELLWETHER_API_KEY: ADMIN_KEY, ALERT_DELAY_SECONDS: '0' },
})
await machine.takeQueue()
const { admin, workspaceId } = service
const deps = { ...service.deps, now: () => new Date(machine.now()) }
const { db } = deps
const env = {
  ...beside(service),
  ...machine.env,
  ...internet.env,
  OUTBOUND_CONNECT_TO: `${internet.env.OUTBOUND_CONNECT_TO},${smtp.connectTo}`,
  ...smtp.env,
  MAIL_PER_MINUTE: '100000',
  SOURCES: 'website',
}

/** Loaded while the present process works, because loading takes most of the time of a start. */
const loadNext = () => run(['serve', '--only', 'worker'], { env, bin: STANDBY })
let next = loadNext()

async function start(): Promise<void> {
  starts++
  running = next
  running.child.stdin.write('\n')
  await running.sees(/worker is ready/)
  next = loadNext()
}

/** Members with their rules, and active accounts with what rules filter by. */
async function setUp(): Promise<Account[]> {
  await saveConnection(db, workspaceId, 'chat', deps.secrets, { credential: { token: 'xoxb-month' } })
  const members = new Map<Person, { id: string; client: Client }>()
  for (const one of PEOPLE) {
    const { zone, ...fields } = one
    const member = await service.member(fields)
    await member.client.expect(200, 'PATCH', '/v1/me', { time_zone: zone })
    members.set(one, member)
  }
  for (const [at, { by, ...rule }] of RULES.entries())
    await members
      .get(by)
      ?.client.expect(201, 'POST', '/v1/alert-rules', { name: `Rule ${at}`, events: ['signal.detected'], ...rule })
  const { accounts } = await scene(service, { accounts: ACCOUNTS, owner: { client: admin, workspaceId } })
  const made = accounts.map(({ id, name }, at): Account => {
    const tags = [...(at % 10 === 0 ? ['strategic'] : []), ...(at % 15 === 1 ? ['renewal'] : [])]
    const owner = PEOPLE[at % PEOPLE.length] as Person
    return { id, name, tags, score: draws.between(0, 100), owners: [{ from: 0, person: owner }] }
  })
  // Not through the API: an activation starts a scan, and a score is computed by research.
  for (const { id, score, tags, owners } of made)
    await db
      .updateTable('accounts')
      .set({ status: 'active', score, tags, owner_id: members.get(owners[0]?.person as Person)?.id as string })
      .where('id', '=', id)
      .execute()
  handOver = async () => {
    for (const { id, owners } of made.filter(({ owners }) => owners.length > 1)) {
      const owner_id = members.get(owners.at(-1)?.person as Person)?.id
      // Not through the API, which would redraft the findings.
      await db
        .updateTable('accounts')
        .set({ owner_id: owner_id as string })
        .where('id', '=', id)
        .execute()
    }
  }
  for (const { owners } of made.filter(({ owners }) => owners[0]?.person === dirk).slice(0, 15))
    owners.push({ from: HANDOVER, person: farid })
  return made
}
let handOver = async () => {}

/** Three bursts of findings a day at quiet minutes. */
function drawFindings(accounts: Account[]): Finding[] {
  const findings: Finding[] = []
  for (let day = 0; day < DAYS; day++) {
    for (const hour of draws.some([0, 3, 5, 8, 9, 11, 14, 16, 18, 20, 22], 3)) {
      const at = MONTH + day * DAY + (hour * 60 + draws.pick(QUIET_MINUTES)) * MINUTE
      for (const account of draws.some(accounts, draws.between(2, 8))) {
        const title = `Event ${String(findings.length + 1).padStart(4, '0')}`
        findings.push({ title, account, signal: draws.pick(SIGNALS), at })
      }
    }
  }
  return findings
}

/** Every account of a digest must be listed, so that what arrived can be read from the messages. */
function requireListed(expected: Delivery[]): void {
  const digests = Map.groupBy(expected, ({ way, due, slot }) => (slot ? `${way} ${due}` : ''))
  digests.delete('')
  for (const [name, those] of digests) {
    const { size } = new Set(those.map(({ finding }) => finding.account))
    assert.ok(size <= (name.startsWith('email') ? LISTED.email : LISTED.chat), `${name} has ${size} accounts`)
  }
}

/** `messages`: how many are due. */
type Step = { at: number; findings: Finding[]; messages: number; isHandover?: boolean }

/**
 * The moments at which something happens: findings, digests, and accounts that change hands. And every half hour, so that a
 * digest in a wrong hour is sent in that hour.
 */
function toSteps(findings: Finding[], expected: Delivery[]): Step[] {
  const bursts = Map.groupBy(findings, ({ at }) => at)
  const due = Map.groupBy(expected, ({ slot, due }) => (slot ? due + SECOND : due))
  const countAt = (at: number) =>
    new Set(due.get(at)?.map(({ way, slot, finding }) => (slot ? way : `${way} ${finding.title}`))).size
  const handover = { at: HANDOVER, findings: [], messages: 0, isHandover: true }
  const times = new Set([...bursts.keys(), ...due.keys()])
  for (let at = MONTH + SECOND, last = Math.max(...times); at < last; at += 30 * MINUTE) times.add(at)
  return [...[...times].map((at) => ({ at, findings: bursts.get(at) ?? [], messages: countAt(at) })), handover].sort(
    (a, b) => a.at - b.at,
  )
}

/** Whether the service has sent everything that is due. */
async function isIdle(): Promise<boolean> {
  const { rows } = await sql`select from alert_deliveries where state = 'pending' and next_attempt_at <= now()`.execute(
    db,
  )
  return rows.length === 0
}

/** Stores the findings of a step as a scan does, with the function that queues alerts in the same transaction. */
async function play({ at, findings, isHandover }: Step): Promise<void> {
  await machine.moveTo(at)
  if (isHandover) await handOver()
  for (const { title, account, signal } of findings) {
    const target = { account_id: account.id, run_id: newId() }
    await detect(deps, workspaceId, target, [{ headline: title, signal_id: signal }])
  }
}

/** Kills the service while it sends, or when it has nothing left to send, and restarts it. Returns whether it sent. */
async function playWithKill(step: Step): Promise<boolean> {
  const delayMs = draws.pick([null, draws.between(0, 30)])
  kill = { atMessage: draws.between(1, Math.max(step.messages, 1)), delayMs, isStarted: false }
  const victim = running as Running
  await play(step)
  await eventually('the service is killed or idle', async () => kill?.isStarted || (await isIdle()))
  const wasSending = (kill as Kill).isStarted
  if (wasSending) await victim.exited
  else await stop(victim, 'SIGKILL')
  kill = null
  assert.equal(victim.child.signalCode, 'SIGKILL', victim.output())
  await machine.moveTo(step.at + DOWNTIME)
  await start()
  return wasSending
}

test('a month of alerts: each finding reaches each member whose rule covers it once and on time, over kills', async (t) => {
  const accounts = await setUp()
  const findings = drawFindings(accounts)
  const expected = expectedDeliveries(findings, RULES)
  requireListed(expected)
  const steps = toSteps(findings, expected)
  const lethal = new Set<Step>()
  const busy = steps.filter(({ findings, messages }) => findings.length + messages > 0)
  for (const [day, those] of Map.groupBy(busy, ({ at }) => Math.floor((at - MONTH) / DAY))) {
    const half = Math.ceil(those.length / KILLS_PER_DAY)
    if (day < DAYS) for (const part of [those.slice(0, half), those.slice(half)]) lethal.add(draws.pick(part))
  }

  await start()
  let sending = 0
  for (const step of steps) {
    if (lethal.has(step)) sending += Number(await playWithKill(step))
    else await play(step)
    await eventually(`everything due at ${new Date(step.at).toISOString()} is sent`, isIdle)
  }
  await stop(running as Running)

  const wanted = new Map(expected.map((one) => [`${one.way} ${one.finding.title}`, one]))
  const received = new Map<string, Arrival[]>()
  for (const arrival of arrivals)
    for (const title of arrival.findings) {
      const name = `${arrival.way} ${title}`
      received.set(name, [...(received.get(name) ?? []), arrival])
    }
  const messages = Map.groupBy(arrivals, ({ way, id }) => `${way} ${id}`)
  const repeated = (channel: string) =>
    [...messages].reduce((sum, [name, { length }]) => sum + (name.startsWith(channel) ? length - 1 : 0), 0)
  t.diagnostic(
    [
      `${findings.length} findings on ${ACCOUNTS} accounts in ${DAYS} days, ${RULES.length} rules of ${PEOPLE.length} members`,
      `${expected.length} expected deliveries, ${received.size} received in ${messages.size} messages`,
      `sent again: ${repeated('email')} mails under the same id, ${repeated('chat')} chat messages`,
      `${starts - 1} restarts by kill -9, ${sending} of them while messages were sent`,
    ].join('; '),
  )

  assert.equal(starts - 1, DAYS * KILLS_PER_DAY)
  const missing = [...wanted.keys()].filter((name) => !received.has(name))
  const unexpected = [...received.keys()].filter((name) => !wanted.has(name))
  assert.deepEqual({ missing, unexpected }, { missing: [], unexpected: [] })
  for (const [name, those] of received) {
    assert.equal(new Set(those.map(({ id }) => id)).size, 1, `${name} came in several messages`)
    const { due, slot } = wanted.get(name) as Delivery
    for (const { at } of those) {
      assert.ok(at >= due && at < due + LATEST, `${name} came at ${new Date(at).toISOString()}`)
      if (slot) assert.ok(isInHour(at, slot.zone, slot.rule), `${name} came outside of its hour`)
    }
  }
  // Only a message whose result was not stored before a kill is sent again: one in each queue, of which chats have two.
  for (const [name, those] of messages)
    assert.equal(new Set(those.map(({ start }) => start)).size, those.length, `${name} came twice from one process`)
  assert.ok(repeated('email') <= sending && repeated('chat') <= 2 * sending)
  const { rows } = await sql<{ state: string; message: string | null; count: number }>`
    select state, message, count(*) from alert_deliveries group by state, message order by state desc`.execute(db)
  assert.deepEqual(
    rows.filter(({ message }) => message !== 'There is nothing left to report.'),
    [{ state: 'sent', message: null, count: messages.size }],
  )
})
