import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { truthAt, universeCsv } from '../manifest.ts'
import type { Sandbox } from '../start.ts'
import { fillCrm } from './crm.ts'
import { COMPANY_PROFILE, KNOWLEDGE_BASE, MEMBER_PROFILE } from './knowledge.ts'
import type { ApiResponse, Json, RunningService } from './service.ts'

export type Tour = {
  service: RunningService
  sandbox: Sandbox
  /** A folder for files of the tour. */
  folder: string
  say: (line?: string) => void
  signal: AbortSignal
}

/** The path at the receiver that alerts are sent to. */
export const ALERTS = '/alerts'

/** Accounts that the tour imports; the others are left for discovery. */
const KNOWN = [
  'halden-robotics.example',
  'ledgermoor.example',
  'portolan-shipping.example',
  'meridon-freight.example',
  'nimbrel.example',
  'corvane.example',
  'northpass-cargo.example',
  'quillstack.example',
  'kestrelvane.example',
  'anvilry.example',
  'voltique.example',
  'cindermark.example',
]
const ACTIVATED = 8
const PATIENCE_MS = 180_000

type Account = { id: string; name: string; domain: string }

/**
 * Sets up the workspace, activates accounts, waits for their research and prints the results. Returns an account to
 * open.
 */
export async function takeTour(tour: Tour): Promise<Account | null> {
  await prepare(tour)
  const accounts = await addAccounts(tour)
  // Before the research, so that it recognizes the contacts of the CRM in the news.
  await readCrm(tour)
  const active = await activateSome(tour, accounts.slice(0, ACTIVATED))
  await research(tour, active)
  for (const account of active) await showSignals(tour, account)
  await pushToCrms(tour, active)
  await discover(tour)
  return active[0] ?? null
}

async function prepare({ service, sandbox, say }: Tour): Promise<void> {
  // The tour takes its steps.
  await service.call('PATCH', '/setup', { is_dismissed: true })
  for (const section of KNOWLEDGE_BASE)
    report(say, `Tell it "${section.title}"`, await service.call('POST', '/knowledge-base', section))
  report(say, 'Tell it who sells', await service.call('PATCH', '/company-profile', COMPANY_PROFILE))
  report(say, 'Tell it who writes', await service.call('PATCH', '/me/profile', MEMBER_PROFILE))
  const chat = { provider: 'chat', token: 'xoxb-sandbox' }
  report(say, `Connect the chat, seen at ${sandbox.control.url}/chat`, await service.call('POST', '/connections', chat))
  const settings = {
    ...{ webhook_url: sandbox.receiver.url + ALERTS, webhook_enabled: true, notify_suggested: true },
    ...{ chat_channel: '#signals', chat_enabled: true },
  }
  report(
    say,
    'Send alerts to the receiver and the chat',
    await service.call('PUT', '/settings/notifications', settings),
  )
}

async function addAccounts({ service, sandbox, say }: Tour): Promise<Account[]> {
  // Drafts are written in the name of the owner.
  const { data: me } = await service.call('GET', '/me')
  const wanted = KNOWN.map((domain) => ({ name: sandbox.world.company(domain).name, domain, owner_id: me.member.id }))
  const answer = await service.call('POST', '/accounts', wanted)
  return report(say, `Add ${wanted.length} accounts`, answer) ? (answer.data as Account[]) : []
}

async function readCrm({ service, sandbox, say, signal }: Tour): Promise<void> {
  const { data: me } = await service.call('GET', '/me')
  fillCrm(sandbox, me.member)
  const given = { provider: 'crm_one', token: 'sandbox-key' }
  const connected = await service.call('POST', '/connections', given)
  if (!report(say, `Connect HubSpot, seen at ${sandbox.control.url}/crm-one`, connected)) return
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { data } = await service.call('GET', '/crm/sync')
    const [sync] = (data ?? []) as Json[]
    if (sync?.finished_at || Date.now() > deadline) {
      const { companies, matched_companies, contacts, deals } = sync?.records ?? {}
      const result = sync?.finished_at ? '' : ` so far (${sync?.state ?? 'not started'})`
      return say(
        `  Read ${companies} companies (${matched_companies} are accounts), ${contacts} contacts and ${deals} deals${result}.`,
      )
    }
    await wait(500, undefined, { signal })
  }
}

async function activateSome({ service, say }: Tour, accounts: readonly Account[]): Promise<Account[]> {
  const active: Account[] = []
  for (const account of accounts) {
    const answer = await service.call('POST', `/accounts/${account.id}/activate`, {})
    if (answer.status === 200) active.push(account)
    else report(say, `Activate ${account.name}`, answer)
  }
  say(`  ${active.length} accounts are active: they are enriched, and watched from now on.`)
  return active
}

/** Starts a scan of each account, or joins the one that activation started, and waits for all. */
async function research(tour: Tour, accounts: readonly Account[]): Promise<void> {
  const { service, say } = tour
  const runs: { account: Account; id: string }[] = []
  for (const account of accounts) {
    const answer = await service.call('POST', `/accounts/${account.id}/scan`)
    if (answer.status === 202) runs.push({ account, id: answer.data.run_id })
    else report(say, `Scan ${account.name}`, answer)
  }
  if (runs.length > 0) say(`  ${runs.length} scans are running.`)
  await Promise.all(
    runs.map(async ({ account, id }) => {
      const run = await finished(tour, id)
      if (run) say(`  ${account.name}: ${outcome(run)}`)
    }),
  )
}

function outcome({ status, stats, failure }: Json): string {
  if (status === 'running') return 'still running'
  const failed = ((stats.sources ?? []) as Json[]).filter((source) => source.outcome === 'failed')
  const without = failed.length > 0 ? `, without ${failed.map(({ name }) => name).join(', ')}` : ''
  if (status === 'failed') return `failed: ${failure ?? 'no reason given'}`
  return `read ${stats.documents ?? '?'} documents${without}`
}

/** Polls a run until it has ended or the time limit of the tour is reached. Null when it cannot be requested. */
async function finished(
  { service, say, signal }: Tour,
  id: string,
  onLook?: (run: Json) => void,
): Promise<Json | null> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await service.call('GET', `/runs/${id}`)
    if (answer.status !== 200) {
      report(say, `Look at run ${id}`, answer)
      return null
    }
    onLook?.(answer.data)
    if (answer.data.status !== 'running' || Date.now() > deadline) return answer.data
    await wait(500, undefined, { signal })
  }
}

async function showSignals({ service, sandbox, say }: Tour, { id, name, domain }: Account): Promise<void> {
  const answer = await service.call('GET', `/accounts/${id}/signals`)
  if (answer.status !== 200) return void report(say, `Signals of ${name}`, answer)
  const present = (answer.data as Json[]).filter(({ signal_present }) => signal_present)
  const planted = truthAt(sandbox.world, domain).signals
  say()
  say(`  ${name}: ${present.length} found, ${planted.length} planted`)
  for (const { signal_id, headline, evidence } of present) {
    say(`    ${signal_id.padEnd(20)} ${headline}`)
    say(`    ${''.padEnd(20)} ${evidence[0]?.source_url ?? ''}`)
  }
  const found = new Set(present.map(({ signal_id }) => signal_id))
  const missed = planted.filter(({ signal_id }) => !found.has(signal_id))
  for (const { signal_id, urls } of missed) say(`    not found: ${signal_id}, told at ${urls[0]}`)
}

async function pushToCrms({ service, sandbox, say }: Tour, accounts: readonly Account[]): Promise<void> {
  say()
  const { salesforce, control } = sandbox
  const two = { provider: 'crm_two', token: 'sandbox-token', instance_url: salesforce.instanceUrl }
  report(say, 'Connect Salesforce', await service.call('POST', '/connections', two))
  const answer = await service.call('POST', '/accounts/crm-push', { account_ids: accounts.map(({ id }) => id) })
  if (!report(say, `Push ${accounts.length} accounts with their signals to both`, answer)) return
  for (const { ok, error } of answer.data.results as Json[]) if (!ok) say(`    not pushed: ${error}`)
  say(`  See what arrived: ${control.url}/crm-one and ${control.url}/crm-two`)
}

async function discover(tour: Tour): Promise<void> {
  const { service, sandbox, folder, say } = tour
  say()
  const file = join(folder, 'companies.csv')
  writeFileSync(file, universeCsv(sandbox.manifest()))
  const { code, output } = await service.command('import', 'companies', file)
  say(`  Import the company universe: ${code === 0 ? output : `not done. ${output}`}`)
  const answer = await service.call('POST', '/runs', {
    name: 'Launching, partnering or buying in Europe',
    signals: { any_of: ['product_launch', 'partnership', 'acquisition'], exclude: ['layoffs'] },
    geographies: ['Europe'],
    employee_min: 50,
  })
  if (!report(say, 'Discover companies like these', answer)) return
  let last = ''
  const run = await finished(tour, answer.data.run_id, ({ stats }) => {
    const line = `  ${stats.candidates} candidates, ${stats.matched} matched`
    if (line !== last) say(line)
    last = line
  })
  if (run) say(`  The run is ${run.status}${run.failure ? `: ${run.failure}` : ''}.`)
  const known = new Set(KNOWN)
  for (const [status, means] of [
    ['suggested', 'suggested'],
    ['unqualified', 'shows the signal, but is not the customer that the knowledge base describes'],
  ]) {
    const found = await service.call('GET', `/accounts?status=${status}&sort=created_at`)
    if (found.status !== 200) return
    for (const account of found.data as Json[]) {
      if (!known.has(account.domain)) say(`    ${account.name} (${account.domain}), score ${account.score}: ${means}`)
    }
  }
}

/** Prints the result of a step; an error is printed as received. */
function report(say: Tour['say'], step: string, { status, error }: ApiResponse): boolean {
  if (status < 300) {
    say(`  ${step}: done.`)
    return true
  }
  const why = error ? `${error.code}: ${error.message}` : ''
  say(
    status === 503 ? `  ${step}: NOT AVAILABLE in this version (503 ${why})` : `  ${step}: REFUSED (${status} ${why})`,
  )
  return false
}
