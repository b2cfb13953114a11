import { JOB_BOARDS } from '../providers/job-boards/index.ts'
import { enabledRegisters } from '../providers/registers/index.ts'
import { fetchGithubActivity, GITHUB } from '../providers/software/github.ts'
import { fetchIncidents, STATUS_PAGES } from '../providers/software/status-page.ts'
import { enabledStreams } from '../providers/streams/index.ts'
import type { AccountLookup, FeedResult, Stream } from '../providers/streams/types.ts'
import {
  type CompanyRef,
  type ProviderDeps,
  type ProviderParts,
  type SourceResult,
  toProviderDeps,
} from '../providers/types.ts'
import { checkRobots, fetchPage, WEB_SITES } from '../providers/web/fetch-page.ts'
import { listKnownSources } from '../resources/sources/list.ts'
import { daysBefore, isoDate } from '../shared/days.ts'
import { documentSources, firmographicsSources } from './sources.ts'

/** `allowed`: robots.txt allows reading the source, which was not requested. `unchecked`: no request was sent. */
type Outcome = 'items' | 'nothing' | 'failed' | 'off' | 'allowed' | 'unchecked'

export type CheckedSource = {
  source: string
  outcome: Outcome
  items: number
  /** How long the requests took; null when none was sent. */
  ms: number | null
  /** The title of the first item. */
  first: string | null
  /** Why it failed, is off or was not requested, or which part is missing. */
  reason: string | null
}

export type CheckOptions = {
  company: CompanyRef
  /** Tokens of job boards by vendor, in place of the examples. */
  boards: ReadonlyMap<string, string>
  /** Called when the check of a source ends. */
  onChecked?: (done: number, total: number, source: string) => void
}

type Probed = Omit<CheckedSource, 'source' | 'ms'>
/** `name` is that of the list of sources, `label` that of the result. */
type Probe = { name: string; label?: string; run: (deps: ProviderDeps) => Promise<Probed> }

const DAYS = 30
const STREAM_DAYS = 7
/** Requests of one stream, without robots.txt: the newest page, and further ones only where the first has no items. */
const STREAM_REQUESTS = 5
const LIMIT_MS = 60_000
const CONCURRENCY = 6
/** Sources that charge for a request, or that `doctor` checks. */
const OTHER_KINDS = new Set(['people', 'email_verification', 'language_model', 'reader'])
/** Publishes its code and its incidents in the formats that are read. */
const SOFTWARE_COMPANY = { name: 'GitHub', domain: 'github.com' }
const STATUS_PAGE = 'https://www.githubstatus.com'

/** Sends each enabled source a small query and stores nothing. In the order of the list of sources. */
export async function checkSources(
  parts: ProviderParts,
  { company, boards, onChecked }: CheckOptions,
  signal: AbortSignal,
): Promise<CheckedSource[]> {
  const probes = Map.groupBy(probesOf(parts, company, boards), ({ name }) => name)
  const known = listKnownSources(parts.config).filter(({ kind }) => !OTHER_KINDS.has(kind))
  const asked = known.flatMap(({ name, off }): { name: string; result: Probed | Probe['run'] }[] => {
    if (off !== null) return [{ name, result: without('off', off) }]
    const runs = probes.get(name) ?? []
    if (runs.length === 0) return [{ name, result: without('unchecked', 'No query for this check is known.') }]
    return runs.map(({ label = name, run }) => ({ name: label, result: run }))
  })
  const checked: CheckedSource[] = []
  let done = 0
  const waiting = asked.entries()
  const lane = async () => {
    for (const [at, { name, result }] of waiting) {
      const startedAt = performance.now()
      const found = typeof result === 'function' ? await probe(parts, result, signal) : result
      const isAsked = typeof result === 'function' && found.outcome !== 'unchecked'
      checked[at] = { source: name, ...found, ms: isAsked ? Math.round(performance.now() - startedAt) : null }
      onChecked?.(++done, asked.length, name)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
  return checked
}

function probesOf({ config, now }: ProviderParts, company: CompanyRef, boards: CheckOptions['boards']): Probe[] {
  const today = isoDate(now())
  const since = daysBefore(today, DAYS)
  return [
    { name: WEB_SITES, run: (deps) => readHomePage(deps, company) },
    ...Object.entries(JOB_BOARDS).map(([vendor, board]) => ({
      name: board.name,
      run: async (deps: ProviderDeps) => {
        const token = boards.get(vendor) ?? board.example
        return token === null ? askOnlyRobots(deps, vendor) : toProbed(await board.postings(deps, token))
      },
    })),
    {
      name: GITHUB,
      run: async (deps) => {
        const links = [{ organisation: 'github', isOrganisation: true }]
        return toProbed(await fetchGithubActivity(deps, SOFTWARE_COMPANY, links, since))
      },
    },
    {
      name: STATUS_PAGES,
      run: async (deps) => toProbed(await fetchIncidents(deps, SOFTWARE_COMPANY, STATUS_PAGE, since)),
    },
    ...documentSources(config).map((source) => ({
      name: source.name,
      run: async (deps: ProviderDeps) => toProbed(await source.find(deps, company, since)),
    })),
    ...firmographicsSources(config).map((source) => ({
      name: source.name,
      run: async (deps: ProviderDeps) => toProbed(await source.fetchFirmographics(deps, company)),
    })),
    ...enabledRegisters(config).map((register) => ({
      name: register.name,
      run: async (deps: ProviderDeps) => toProbed(await register.search(deps, company.name)),
    })),
    ...enabledStreams(config).flatMap((stream) => probesOfStream(stream, today)),
  ]
}

/** Counts every company as an account, so that streams that keep only what is about accounts return items. */
const EVERY_COMPANY: AccountLookup = {
  named: async (names) => new Set(names),
  registered: async (_register, ids) => new Map(ids.map((id) => [id, id])),
}

/** One feed of a stream, or each where its feeds are separate sources. */
function probesOfStream(stream: Stream, today: string): Probe[] {
  const { name, feeds, firstDays, feedNames, isSearchable } = stream
  const asked = feedNames ? feeds : feeds.slice(0, 1)
  return asked.map((feed) => ({
    name: feedNames?.[feed] ?? name,
    ...(isSearchable && { label: `${name} (stream)` }),
    async run(deps) {
      // The lists of layoff notices are months behind.
      const days = feedNames ? firstDays : Math.min(firstDays, STREAM_DAYS)
      const { signal, outbound, isSpent } = limitRequests(deps, STREAM_REQUESTS)
      try {
        return toProbed(
          await stream.read({ ...deps, signal, outbound }, feed, {
            since: daysBefore(today, days),
            state: null,
            accounts: EVERY_COMPANY,
          }),
        )
      } catch (error) {
        if (!isSpent()) throw error
        return without('nothing', `It was ended after ${STREAM_REQUESTS} requests, which returned no items.`)
      }
    },
  }))
}

/** Ends a stream after a number of requests; it then returns the items that it has found. */
function limitRequests({ signal, outbound }: ProviderDeps, most: number) {
  const spent = new AbortController()
  let requests = 0
  const request: typeof outbound.request = (url, options) => {
    if (!url.endsWith('/robots.txt') && ++requests > most) spent.abort()
    return outbound.request(url, { ...options, signal: AbortSignal.any([options.signal ?? signal, spent.signal]) })
  }
  return {
    signal: AbortSignal.any([signal, spent.signal]),
    outbound: { ...outbound, request },
    isSpent: () => spent.signal.aborted,
  }
}

async function readHomePage(deps: ProviderDeps, { domain }: CompanyRef): Promise<Probed> {
  if (domain === null) return without('unchecked', 'The company has no domain.')
  const found = await fetchPage(deps, `https://${domain}/`)
  if (found.outcome !== 'read') return without('failed', found.outcome === 'unchanged' ? null : found.reason)
  const title = found.type === 'page' ? found.page.title : null
  return { outcome: 'items', items: 1, first: title, reason: null }
}

/** A request for only the robots.txt, of a vendor with one host for all companies. */
async function askOnlyRobots(deps: ProviderDeps, vendor: string): Promise<Probed> {
  const name = `name one with --board ${vendor}:<company>`
  const url = SHARED_HOSTS[vendor]
  if (url === undefined) return without('unchecked', `No board is known to read: ${name}.`)
  const rules = await checkRobots(deps, url, { what: 'job board' })
  if ('outcome' in rules) return without('failed', rules.reason)
  return without('allowed', `Its robots.txt allows reading; no board was requested: ${name}.`)
}

const SHARED_HOSTS: Readonly<Record<string, string>> = {
  workable: 'https://apply.workable.com/api/v1/widget/accounts/any',
}

async function probe(parts: ProviderParts, run: Probe['run'], signal: AbortSignal): Promise<Probed> {
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    return await run(toProviderDeps(parts, AbortSignal.any([signal, limit])))
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error
    return without('failed', `It took longer than ${LIMIT_MS / 1000} s.`)
  }
}

const without = (outcome: Outcome, reason: string | null): Probed => ({ outcome, items: 0, first: null, reason })

function toProbed(found: SourceResult<unknown> | FeedResult): Probed {
  if (found.outcome === 'nothing') return without('nothing', ('reason' in found && found.reason) || null)
  if (found.outcome === 'failed') return without('failed', found.reason)
  return { outcome: 'items', items: found.items.length, first: titleOf(found.items[0]), reason: found.reason ?? null }
}

/** A document or a posting has a title, an item of a stream a document, a record of a company a name. */
function titleOf(item: unknown): string | null {
  const { title, document, name, legal_name } = item as {
    title?: string
    document?: { title: string | null }
    name?: string
    legal_name?: string
  }
  return title ?? document?.title ?? name ?? legal_name ?? null
}
