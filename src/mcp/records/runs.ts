import type { Bellwether, Schemas } from '@bellwether/client'
import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../http/schema.ts'
import { ClosedObject } from '../shared/tool.ts'
import { blockQuote, singleLine, UNTRUSTED_NOTICE } from '../shared/untrusted-text.ts'
import { runProgress } from '../shared/wait.ts'
import { AccountSummary, formatAccountSummary, toAccountSummary } from './accounts.ts'
import { formatPerson, PersonRecord, toPersonRecord } from './people.ts'

const ACCOUNTS = 10
const PEOPLE = 10

const count = (description: string) => Type.Integer({ description })

const base = {
  run_id: Type.String({ description: 'For check_run' }),
  status: OneOf(['running', 'done', 'failed']),
  done: Type.Integer({ description: 'Finished out of `total`: signals, companies, records or accounts' }),
  total: Type.Integer(),
  failure: Nullable(Type.String({ description: 'Why it failed' })),
  failed_sources: Type.Array(ClosedObject({ name: Type.String(), reason: Nullable(Type.String()) }), {
    description: 'Sources that could not be read: their content is unknown',
  }),
}
const ofScan = {
  account_id: Type.String(),
  found_signals: Type.Array(Type.String(), { description: 'Signals that are present' }),
  new_findings: count('Findings that are new'),
}
const ofDiscovery = {
  matched: count('Companies that match'),
  accounts: Type.Array(AccountSummary, { description: `The best matches, at most ${ACCOUNTS}` }),
}
const ofPush = {
  ...{ sent: Type.Integer(), failed: Type.Integer(), skipped: Type.Integer() },
  errors: Type.Array(Type.String(), { description: 'Errors, at most 5' }),
}
const ofSearch = {
  found: count('People found'),
  people: Type.Array(PersonRecord, { description: `The first ${PEOPLE} at most` }),
}

export const ScanReport = ClosedObject({ ...base, kind: OneOf(['scan']), ...ofScan })
export const DiscoveryReport = ClosedObject({ ...base, kind: OneOf(['discovery']), ...ofDiscovery })
const PushReport = ClosedObject({ ...base, kind: OneOf(['push']), ...ofPush })
const SearchReport = ClosedObject({ ...base, kind: OneOf(['people_search']), ...ofSearch })
type Report =
  | Static<typeof ScanReport>
  | Static<typeof DiscoveryReport>
  | Static<typeof PushReport>
  | Static<typeof SearchReport>

/** Background work of any kind, with the fields of its kind. */
export const RunReport = Type.Unsafe<Report>(
  ClosedObject({
    ...base,
    kind: OneOf(['scan', 'discovery', 'push', 'people_search']),
    ...Type.Partial(Type.Object({ ...ofScan, ...ofDiscovery, ...ofPush, ...ofSearch })).properties,
  }),
)

type Run = Schemas['FullRun']

function baseOf(run: Run) {
  const { id, status, failure, stats } = run
  const sources = [...(stats.sources ?? []), ...(stats.lead_sources ?? [])]
  return {
    ...{ run_id: id, status, ...runProgress(run), failure: failure && singleLine(failure, 300) },
    failed_sources: sources
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ name, reason }) => ({ name: singleLine(name, 60), reason: reason && singleLine(reason, 200) })),
  }
}

export function toScanReport(run: Run & { account_id: string }): Static<typeof ScanReport> {
  const found_signals = run.jobs.filter(({ state }) => state === 'found').map(({ signal_id }) => signal_id)
  const { account_id, stats } = run
  return { ...baseOf(run), kind: 'scan', account_id, found_signals, new_findings: stats.detections ?? 0 }
}

export async function loadDiscoveryReport(client: Bellwether, run: Run): Promise<Static<typeof DiscoveryReport>> {
  const { data } = await client.get('/v1/accounts', { query: { run_id: run.id, per_page: ACCOUNTS } })
  return { ...baseOf(run), kind: 'discovery', matched: run.stats.matched, accounts: data.map(toAccountSummary) }
}

export function toPushReport(run: Schemas['PushRun']): Static<typeof PushReport> {
  const { id, status, total, sent, failed, skipped, error_sample, skipped_sample } = run
  const messages = [...error_sample, ...skipped_sample].map(({ message }) => singleLine(message, 200))
  return {
    ...{ run_id: id, kind: 'push', status: status === 'completed' ? 'done' : status },
    ...{ done: sent + failed + skipped, total, failure: null, failed_sources: [] },
    ...{ sent, failed, skipped, errors: [...new Set(messages)].slice(0, 5) },
  }
}

export function toSearchReport(search: Schemas['PeopleSearch']): Static<typeof SearchReport> {
  const { id, state, accounts, accounts_done, problems, contacts } = search
  const interrupted = state === 'interrupted' ? 'The search was interrupted; start it again.' : null
  return {
    ...{ run_id: id, kind: 'people_search', done: accounts_done, total: accounts, failure: interrupted },
    status: state === 'finished' ? 'done' : state === 'running' ? 'running' : 'failed',
    failed_sources: problems.slice(0, 5).map(({ message }) => ({ name: 'account', reason: singleLine(message, 200) })),
    ...{ people: contacts.slice(0, PEOPLE).map(toPersonRecord), found: contacts.length },
  }
}

const LABELS = { scan: 'The scan', discovery: 'The discovery', push: 'The push', people_search: 'The people search' }

export function formatRun(report: Report): string {
  const { kind, run_id, status, done, total, failure, failed_sources } = report
  const state =
    status === 'running'
      ? `is still running (${done} of ${total}). It continues in the background: call check_run with run_id ${run_id} later.`
      : status === 'failed'
        ? `has failed (run ${run_id}).`
        : `is done (run ${run_id}).`
  const sources = failed_sources
    .slice(0, 5)
    .map(({ name, reason }) => (reason?.startsWith(name) ? reason : `${name}${reason ? `: ${reason}` : ''}`))
  return [
    `${LABELS[kind]} ${state}`,
    failure ? blockQuote(failure) : '',
    ...details(report),
    sources.length > 0
      ? `Sources that could not be read, so their content is unknown:\n${blockQuote(sources.join('\n'))}`
      : '',
  ]
    .filter(Boolean)
    .join('\n')
}

function details(report: Report): string[] {
  switch (report.kind) {
    case 'scan':
      // A failed scan has no result, not an empty one.
      if (report.status === 'failed') return []
      return [
        `New findings: ${report.new_findings}. Present: ${report.found_signals.join(', ') || (report.status === 'running' ? 'none so far' : 'none')}.`,
        `read_account with ${report.account_id} shows them with evidence.`,
      ]
    case 'discovery':
      if (report.status === 'failed' && report.accounts.length === 0) return []
      return [
        `Matching companies: ${report.matched}.`,
        ...report.accounts.map(formatAccountSummary),
        report.matched > report.accounts.length ? `More: search_accounts with run_id ${report.run_id}.` : '',
      ]
    case 'push':
      return [
        `${report.sent} sent, ${report.failed} failed, ${report.skipped} skipped.`,
        report.errors.length > 0 ? blockQuote(report.errors.join('\n')) : '',
      ]
    case 'people_search':
      return [
        `Found: ${report.found}.`,
        report.people.length > 0 ? UNTRUSTED_NOTICE : '',
        ...report.people.map(formatPerson),
        report.found > report.people.length
          ? `${report.found - report.people.length} more: find_people with the same query and a higher limit shows them.`
          : '',
      ]
  }
}
