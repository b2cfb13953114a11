import type { Bellwether, Schemas } from '@bellwether/client'
import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../http/schema.ts'
import { Shape } from '../define.ts'
import { line, NOTICE, quote } from '../quoted.ts'
import { progressOf } from '../wait.ts'
import { ListedAccount, listed, listedText } from './listed.ts'
import { Person, person, personText } from './person.ts'

const ACCOUNTS = 10
const PEOPLE = 10

const count = (description: string) => Type.Optional(Type.Integer({ description }))

/** Work in the background, whatever its kind. */
export const RunReport = Shape({
  run_id: Type.String({ description: 'For check_run' }),
  kind: OneOf(['scan', 'discovery', 'push', 'people_search']),
  status: OneOf(['running', 'done', 'failed']),
  done: Type.Integer({ description: 'Of `total`: signals, companies, records or accounts' }),
  total: Type.Integer(),
  failure: Nullable(Type.String({ description: 'Why it failed' })),
  failed_sources: Type.Array(Shape({ name: Type.String(), reason: Nullable(Type.String()) }), {
    description: 'Sources that could not be read: what they would have told is not known',
  }),
  account_id: Type.Optional(Type.String({ description: 'Of a scan' })),
  found_signals: Type.Optional(Type.Array(Type.String(), { description: 'Of a scan: signals that are present' })),
  new_findings: count('Of a scan: findings that were not known before'),
  matched: count('Of a discovery: companies that match'),
  accounts: Type.Optional(Type.Array(ListedAccount, { description: `Of a discovery: the best, at most ${ACCOUNTS}` })),
  sent: count('Of a push'),
  failed: count('Of a push'),
  skipped: count('Of a push'),
  errors: Type.Optional(Type.Array(Type.String(), { description: 'Of a push: what went wrong' })),
  people: Type.Optional(Type.Array(Person, { description: `Of a search for people: at most ${PEOPLE}` })),
  found: count('Of a search for people: how many'),
})
export type RunReport = Static<typeof RunReport>

export async function runReport(client: Bellwether, run: Schemas['FullRun']): Promise<RunReport> {
  const { id, status, failure, stats, jobs, account_id } = run
  const sources = [...(stats.sources ?? []), ...(stats.lead_sources ?? [])]
  const common = {
    ...{ run_id: id, status, ...progressOf(run), failure: failure && line(failure, 300) },
    failed_sources: sources
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ name, reason }) => ({ name: line(name, 60), reason: reason && line(reason, 200) })),
  }
  if (account_id) {
    const found_signals = jobs.filter(({ state }) => state === 'found').map(({ signal_id }) => signal_id)
    return { ...common, kind: 'scan', account_id, found_signals, new_findings: stats.detections ?? 0 }
  }
  const { data } = await client.get('/v1/accounts', { query: { run_id: id, per_page: ACCOUNTS } })
  return { ...common, kind: 'discovery', matched: stats.matched, accounts: data.map(listed) }
}

export function pushReport(run: Schemas['PushRun']): RunReport {
  const { id, status, total, sent, failed, skipped, error_sample, skipped_sample } = run
  const told = [...error_sample, ...skipped_sample].map(({ message }) => line(message, 200))
  return {
    ...{ run_id: id, kind: 'push', status: status === 'completed' ? 'done' : status },
    ...{ done: sent + failed + skipped, total, failure: null, failed_sources: [] },
    ...{ sent, failed, skipped, errors: [...new Set(told)].slice(0, 5) },
  }
}

export function searchReport(search: Schemas['PeopleSearch']): RunReport {
  const { id, state, accounts, accounts_done, problems, contacts } = search
  const interrupted = state === 'interrupted' ? 'The search ended before it was done; start it again.' : null
  return {
    ...{ run_id: id, kind: 'people_search', done: accounts_done, total: accounts, failure: interrupted },
    status: state === 'finished' ? 'done' : state === 'running' ? 'running' : 'failed',
    failed_sources: problems.slice(0, 5).map(({ message }) => ({ name: 'account', reason: line(message, 200) })),
    ...{ people: contacts.slice(0, PEOPLE).map(person), found: contacts.length },
  }
}

const WORDS = { scan: 'The scan', discovery: 'The discovery', push: 'The push', people_search: 'The search for people' }

export function runText(report: RunReport): string {
  const { kind, run_id, status, done, total, failure, failed_sources } = report
  const state =
    status === 'running'
      ? `is still running (${done} of ${total}). It goes on by itself: ask again with check_run and run_id ${run_id}.`
      : status === 'failed'
        ? `has failed (run ${run_id}).`
        : `is done (run ${run_id}).`
  const sources = failed_sources.slice(0, 5).map(({ name, reason }) => `${name}${reason ? `: ${reason}` : ''}`)
  return [
    `${WORDS[kind]} ${state}`,
    failure ? quote(failure) : '',
    ...details(report),
    sources.length > 0 ? `Could not be read, so what they tell is not known:\n${quote(sources.join('\n'))}` : '',
  ]
    .filter(Boolean)
    .join('\n')
}

function details(report: RunReport): string[] {
  const { kind, account_id, found_signals = [], new_findings = 0, matched = 0, accounts = [], people = [] } = report
  switch (kind) {
    case 'scan':
      return [
        `${new_findings} new findings. Present: ${found_signals.join(', ') || 'none so far'}.`,
        `read_account with ${account_id} shows them with evidence.`,
      ]
    case 'discovery':
      return [
        `${matched} companies match.`,
        ...accounts.map(listedText),
        matched > accounts.length ? `More: search_accounts with run_id ${report.run_id}.` : '',
      ]
    case 'push':
      return [
        `${report.sent} sent, ${report.failed} failed, ${report.skipped} skipped.`,
        report.errors?.length ? quote(report.errors.join('\n')) : '',
      ]
    case 'people_search':
      return [`${report.found} found.`, people.length > 0 ? NOTICE : '', ...people.map(personText)]
  }
}
