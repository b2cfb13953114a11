import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Client } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { newId } from '../../shared/ids.ts'

/** The report against a second computation, over a simulated year of findings, work and deals. */
const service = await testService()
const { deps, workspaceId, admin } = service
const { db } = deps
const DAY = 86_400_000
const YEAR = Date.parse('2025-01-01T00:00:00Z')

let state = 20_250_101
/** A number below 1, the same in every run (mulberry32). */
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const chance = (share: number) => random() < share
const upTo = (count: number) => Math.floor(random() * count)
const pick = <T>(values: readonly T[]): T => values[upTo(values.length)] as T
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

type Finding = { id: string; account: string; signal: string; sources: string[]; at: number; isWrong: boolean }
type Item = {
  id: string
  account: string
  joined: Map<string, number>
  history: { at: number; is: 'contact' | 'undo' }[]
}
type Line = { account: string; at: number }
type Deal = { id: string; account: string; openedOn: string | null; isWon: boolean; counts: boolean }
type Row = Record<string, number | string | null>

const world = {
  findings: [] as Finding[],
  items: [] as Item[],
  answers: [] as Line[],
  deals: [] as Deal[],
  ownerOf: new Map<string, { id: string; name: string } | null>(),
}
const SIGNALS = new Map<string, string>()
let scoped: { id: string; client: Client }

before(async () => {
  for (const { id, name } of (await admin.expect(200, 'GET', '/v1/signals')).slice(0, 4)) SIGNALS.set(id, name)
  scoped = await service.member({ name: 'Sam', visibility: 'scoped' })
  const name = '=HYPERLINK("https://x.example")'
  const owners = [null, { id: scoped.id, name: 'Sam' }, { id: (await service.member({ name })).id, name }]
  const { accounts, save } = await scene(service, { accounts: 80, owner: { client: admin, workspaceId } })
  await db.insertInto('crm_syncs').values({ workspace_id: workspaceId, provider: 'crm_one', portal: '1' }).execute()
  for (const [n, { id, domain }] of accounts.entries()) {
    const owner = owners[n % 3] ?? null
    world.ownerOf.set(id, owner)
    await db
      .updateTable('accounts')
      .set({ owner_id: owner?.id ?? null })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute()
    const [person] = await save([{ account_id: id, full_name: 'Ada Berg', email: `ada@${domain}` }])
    await simulate(id, domain, person?.id as string, n)
  }
})

/** A year of one account. */
async function simulate(account: string, domain: string, personId: string, n: number): Promise<void> {
  const common = { workspace_id: workspaceId, account_id: account }
  const times = Array.from({ length: upTo(9) }, () => YEAR + random() * 365 * DAY).sort((a, b) => a - b)
  let item: Item | null = null
  for (const [at, time] of times.entries()) {
    item ??= { id: newId(), account, joined: new Map(), history: [] }
    const isMove = chance(0.1)
    const finding = isMove ? await addMove(account, personId, time) : await addFinding(account, domain, time)
    world.findings.push(finding)
    if (chance(0.85)) item.joined.set(finding.id, Math.floor(time))
    const isLast = at === times.length - 1
    if (item.joined.size === 0 || (!isLast && chance(0.4))) continue
    await closeItem(item, time + random() * 20 * DAY, isLast)
    world.items.push(item)
    item = null
  }
  for (let count = upTo(4); count > 0; count--) {
    const at = YEAR + random() * 450 * DAY
    const kind = pick(['replied', 'meeting', 'noted', 'revealed'] as const)
    if (kind === 'replied' || kind === 'meeting') world.answers.push({ account, at })
    await db
      .insertInto('account_activities')
      .values({ ...common, id: newId(), kind, created_at: new Date(at) })
      .execute()
  }
  // A push without a work item is no contact of a finding.
  const pushed = { ...common, id: newId(), kind: 'pushed' as const, created_at: new Date(YEAR) }
  await db.insertInto('account_activities').values(pushed).execute()
  await addDeals(account, n)
}

async function addFinding(account: string, domain: string, at: number): Promise<Finding> {
  const id = newId()
  const proofs = Array.from({ length: 1 + upTo(2) }, (_, n) => {
    const path = `${id}/${n}`
    return pick([
      { url: `https://www.${domain}/${path}`, stored: null, source: 'website' },
      { url: `https://wire.example/${path}`, stored: 'globenewswire', source: 'globenewswire' },
      { url: `https://wire.example/${path}`, stored: 'sec', source: 'sec' },
      { url: `https://gone.example/${path}`, stored: null, source: 'gone.example' },
      { url: null, stored: null, source: null },
    ])
  })
  for (const { url, stored } of proofs) {
    if (stored === null || url === null) continue
    const document = { workspace_id: workspaceId, id: newId(), account_id: account, url, kind: 'article' as const }
    await db
      .insertInto('documents')
      .values({ ...document, source: stored, text: 'News.', hash: Buffer.from(url) })
      .execute()
  }
  const isWrong = chance(0.1)
  const signal = pick([...SIGNALS.keys()])
  const evidence = proofs.map(({ url }) => ({ claim: 'News', quote: null, source_url: url, published_date: null }))
  await db
    .insertInto('signal_detections')
    .values({
      ...{ workspace_id: workspaceId, id, account_id: account, signal_id: signal, signal_present: true },
      ...{ detected_at: dayOf(at), headline: 'News', alpha: 50, icp_fit: 50, evidence: JSON.stringify(evidence) },
      ...(isWrong ? { verdict: 'wrong' as const, verdict_at: new Date(at), verdict_proofs: 1 } : {}),
      created_at: new Date(at),
    })
    .execute()
  const sources = [...new Set(proofs.flatMap(({ source }) => source ?? []))]
  return { id, account, signal, sources: sources.length > 0 ? sources : ['Unknown'], at, isWrong }
}

async function addMove(account: string, person_id: string, at: number): Promise<Finding> {
  const id = newId()
  const evidence = [{ url: 'https://wire.example/ada', source: 'team pages', seen_on: dayOf(at) }]
  await db
    .insertInto('person_moves')
    .values({
      ...{ workspace_id: workspaceId, id, person_id, key: id, kind: 'joined' as const, to_employer: 'Acme' },
      ...{ evidence: JSON.stringify(evidence), created_at: new Date(at) },
    })
    .execute()
  return { id, account, signal: 'move', sources: ['team pages'], at, isWrong: false }
}

/** Closes an item in one of the ways people do; the last of an account may have been opened again. */
async function closeItem(item: Item, at: number, mayStayOpen: boolean): Promise<void> {
  const isUndone = mayStayOpen && chance(0.5)
  const outcome = pick(['contacted', 'contacted', 'pushed', 'not_relevant', 'wrong'] as const)
  const closed = { state: 'done' as const, outcome, changed_at: new Date(at) }
  await db
    .insertInto('work_items')
    .values({
      ...{ workspace_id: workspaceId, id: item.id, account_id: item.account, account_status: 'active' as const },
      ...(isUndone ? {} : closed),
    })
    .execute()
  const moves = new Set(world.findings.flatMap(({ id, signal }) => (signal === 'move' ? [id] : [])))
  await db
    .insertInto('work_item_events')
    .values(
      [...item.joined].map(([record_id, joined]) => ({
        ...{ workspace_id: workspaceId, record_id, work_item_id: item.id, created_at: new Date(joined) },
        kind: moves.has(record_id) ? ('move' as const) : ('detection' as const),
      })),
    )
    .execute()
  const line = async (
    kind: 'done' | 'emailed' | 'copied' | 'called' | 'pushed' | 'snoozed' | 'reopened',
    time: number,
    data = {},
  ) =>
    db
      .insertInto('account_activities')
      .values({
        ...{ workspace_id: workspaceId, id: newId(), account_id: item.account, kind, work_item_id: item.id },
        ...{ data: JSON.stringify(data), created_at: new Date(time) },
      })
      .execute()
  await line('snoozed', at - DAY)
  const log = (is: 'contact' | 'undo', time: number) => item.history.push({ at: Math.floor(time), is })
  // A first contact, maybe before the last findings joined, and maybe taken back.
  if (chance(0.5)) {
    const first = Math.min(...item.joined.values())
    const time = first + random() * (at - 3 * DAY - first)
    if (time > first) {
      await line('called', time)
      log('contact', time)
    }
    if (chance(0.4)) {
      await line('reopened', at - 3 * DAY)
      log('undo', at - 3 * DAY)
    }
  }
  const isContact = outcome === 'contacted' || outcome === 'pushed'
  if (isContact && chance(0.6)) {
    const time = at - random() * 2 * DAY
    await line(outcome === 'pushed' ? 'pushed' : pick(['emailed', 'copied', 'called'] as const), time)
    log('contact', time)
  }
  await line('done', at, { outcome })
  if (isContact) log('contact', at)
  if (isUndone) {
    await line('reopened', at + DAY)
    log('undo', at + DAY)
  }
}

async function addDeals(account: string, n: number): Promise<void> {
  const common = { workspace_id: workspaceId, provider: 'crm_one', modified_at: new Date() }
  const isGone = n % 13 === 0
  const company = { ...common, crm_id: `c${n}`, name: 'Acme', account_id: account, matched_by: 'domain' as const }
  await db
    .insertInto('pulled_companies')
    .values({ ...company, deleted_at: isGone ? new Date() : null })
    .execute()
  for (let count = 2 + upTo(5); count > 0; count--) {
    const isClosed = chance(0.6)
    const [isWon, isDeleted] = [isClosed && chance(0.5), chance(0.1)]
    const openedOn = chance(0.1) ? null : dayOf(YEAR + random() * 450 * DAY)
    const crm_id = `d${n}-${count}`
    await db
      .insertInto('pulled_deals')
      .values({
        ...{ ...common, crm_id, name: 'Deal', company_crm_id: company.crm_id, is_closed: isClosed, is_won: isWon },
        ...{ opened_on: openedOn, deleted_at: isDeleted ? new Date() : null },
      })
      .execute()
    world.deals.push({ id: crm_id, account, openedOn, isWon, counts: !isDeleted && !isGone })
  }
}

type Asked = { from: string; to: string; group_by: 'signal' | 'source' | 'owner'; window_days: number }

/** The same report, computed from the lists of the simulation. */
function expected({ from, to, group_by, window_days }: Asked, onlyOwner?: string) {
  const touches = world.items.flatMap(({ id, account, history }) => {
    const times = history.toSorted((a, b) => a.at - b.at)
    const after = times.slice(times.findLastIndex(({ is }) => is === 'undo') + 1)
    return after.map(({ at }) => ({ id, account, at }))
  })
  const days = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / DAY
  const firstTouch = (account: string, isBefore: (at: number) => boolean, day: string) =>
    touches
      .filter((touch) => touch.account === account && isBefore(touch.at))
      .filter(({ at }) => days(dayOf(at), day) >= 0 && days(dayOf(at), day) <= window_days)
      .toSorted((a, b) => a.at - b.at)[0]
  /** The findings that a contact was about: those of its item at that time. */
  const aboutOf = (touch: (typeof touches)[number] | undefined): string[] => {
    const joined = world.items.find(({ id }) => id === touch?.id)?.joined ?? new Map<string, number>()
    return [...joined].flatMap(([finding, at]) => (at <= (touch?.at ?? 0) ? [finding] : []))
  }
  const contactedFindings = new Set(touches.flatMap(aboutOf))
  const answered = new Set(
    world.answers.flatMap(({ account, at }) =>
      aboutOf(firstTouch(account, (touch) => touch <= Math.floor(at), dayOf(at))),
    ),
  )
  const dealsOf = new Map<string, Deal[]>()
  for (const deal of world.deals) {
    if (!deal.counts || deal.openedOn === null) continue
    for (const finding of aboutOf(firstTouch(deal.account, () => true, deal.openedOn)))
      dealsOf.set(finding, [...(dealsOf.get(finding) ?? []), deal])
  }
  const inItem = new Set(world.items.flatMap(({ joined }) => [...joined.keys()]))
  const groups = (finding: Finding): string[] => {
    if (group_by === 'signal') return [SIGNALS.get(finding.signal) ?? 'Job change']
    return group_by === 'source' ? finding.sources : [world.ownerOf.get(finding.account)?.name ?? 'No owner']
  }
  const rows = new Map<string, Finding[]>()
  for (const finding of world.findings) {
    const { id, account, at, isWrong, signal } = finding
    const isSeen = onlyOwner === undefined || world.ownerOf.get(account)?.id === onlyOwner
    if (isWrong || !isSeen || dayOf(at) < from || dayOf(at) > to || (signal === 'move' && !inItem.has(id))) continue
    for (const name of ['Total', ...groups(finding)]) rows.set(name, [...(rows.get(name) ?? []), finding])
  }
  const share = (count: number, of: number) => (of < 5 ? null : Math.round((count / of) * 10_000) / 10_000)
  const summary = (findings: Finding[]) => {
    const deals = new Set(findings.flatMap(({ id }) => dealsOf.get(id) ?? []))
    const contacted = findings.filter(({ id }) => contactedFindings.has(id)).length
    const replies = findings.filter(({ id }) => answered.has(id)).length
    const led = findings.filter(({ id }) => dealsOf.has(id)).length
    const won = [...deals].filter(({ isWon }) => isWon).length
    return {
      ...{ findings: findings.length, contacted, contacted_rate: share(contacted, findings.length) },
      ...{ answered: replies, answered_rate: share(replies, contacted) },
      ...{ led_to_deal: led, deal_rate: share(led, contacted) },
      ...{ deals: deals.size, won, won_rate: share(won, deals.size) },
    }
  }
  return Object.fromEntries([...rows].map(([name, findings]) => [name, summary(findings)]))
}

const report = (client: Client, asked: object) =>
  client.expect(200, 'GET', `/v1/reports/outcomes?${new URLSearchParams(asked as Record<string, string>)}`)
const byName = (rows: Row[]) => Object.fromEntries(rows.map(({ name, key: _, ...row }) => [name as string, row]))

test('the report equals a second computation, for every group, range and window', async () => {
  const ranges = [
    { from: '2025-01-01', to: '2025-12-31' },
    { from: '2025-03-10', to: '2025-06-20' },
  ]
  let hidden = 0
  for (const range of ranges)
    for (const group_by of ['signal', 'source', 'owner'] as const)
      for (const window_days of [14, 90]) {
        const asked = { ...range, group_by, window_days }
        const { rows, total } = await report(admin, asked)
        const actual = byName([...rows, total])
        assert.deepEqual(actual, expected(asked), JSON.stringify(asked))
        hidden += Object.values(actual).filter(({ won_rate }) => won_rate === null).length
      }
  const { total, rows } = await report(admin, { ...ranges[0], group_by: 'source' })
  assert.ok(total.won > 5 && total.answered > 5, 'the year has enough cases')
  assert.ok(hidden > 0, 'some rates have too few cases')
  assert.ok(rows.reduce((sum: number, { deals }: Row) => sum + Number(deals), 0) > total.deals, 'rows share deals')
})

test('a scoped member gets the findings of their own accounts', async () => {
  const asked = { from: '2025-01-01', to: '2025-12-31', group_by: 'owner', window_days: 90 } as const
  const { rows, total } = await report(scoped.client, asked)
  assert.deepEqual(byName([...rows, total]), expected(asked, scoped.id))
  assert.deepEqual(
    rows.map(({ name }: Row) => name),
    ['Sam'],
  )
})

test('CSV has the rows and the total of the JSON, and no formulas; a range is at most two years', async () => {
  const path = '/v1/reports/outcomes?from=2025-01-01&to=2025-12-31&group_by=owner'
  const { rows, total } = await admin.expect(200, 'GET', path)
  const csv = await admin.get(path, { headers: { accept: 'text/csv' } })
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="results-2025-01-01-2025-12-31.csv"')
  const lines = csv.text.trimEnd().split('\r\n')
  const cell = (value: unknown) => {
    const text = String(value ?? '')
    return text.startsWith('=') ? `"'${text.replaceAll('"', '""')}"` : text
  }
  const wanted = [...rows, total].map((row: Row) => Object.values(row).map(cell).join(','))
  assert.deepEqual(lines, [Object.keys(total).join(','), ...wanted])
  assert.ok(csv.text.includes(`'=HYPERLINK`))
  for (const range of [
    'from=2025-02-01&to=2025-01-31',
    'from=2023-01-01&to=2025-12-31',
    'from=2025-02-31',
    'to=2025-13-01',
  ])
    await admin.expect(400, 'GET', `/v1/reports/outcomes?${range}`)
})
