import { hasLegalForm } from '../../engine/companies/company-names.ts'
import { dateAt, numberAt, textAt, valueAt } from '../../engine/json/fields.ts'
import { cutText, tryParseJson } from '../../engine/text/storable.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { daysBefore } from '../../shared/days.ts'
import { readableName } from '../filings/edgar.ts'
import { basicAuth, COMPANY_NUMBER } from '../registers/companies-house.ts'
import { openLines, reportRequestError, reportUnexpectedFormat } from '../request.ts'
import type { ProviderDeps } from '../types.ts'
import { abortedReason, feedResult } from './read-feed.ts'
import { type AccountLookup, type FeedResult, MAX_ITEMS, type Stream, type StreamItem } from './types.ts'

const NAME = 'Companies House filings'
const URL = 'https://stream.companieshouse.gov.uk/filings'
/** A key may open few connections at a time. */
const PACE: Pace = { kind: 'companies-house-stream', intervalMs: 1_000, concurrency: 1 }
/** The connection stays open: a run ends at these limits, and the next one continues. */
const MAX_MS = 60_000
const MAX_BYTES = 64 * 1024 * 1024
/** Heartbeats without an event in between, after which nothing is left to read. */
const IDLE_HEARTBEATS = 2
/** Filings whose companies are looked up together. */
const BATCH = 500
/** A run that ends with filings older than this is behind. */
const BEHIND_MS = 6 * 3_600_000
/** A change that is notified later than this is no news; the law requires 14 days. */
const LATE_DAYS = 90
const MAX_NAME_CHARS = 200
/** Filings about directors without a name, after which the format must have changed if none has a name. */
const MIN_UNNAMED = 10

const TOO_OLD = `${NAME} no longer has the filings since the last run: those in between are missing, and reading continues with new ones.`

/**
 * New filings of accounts in the register of the United Kingdom. The stream has the filings of all companies, so only
 * those of companies whose number belongs to an account are kept.
 */
export const companiesHouseStream: Stream = {
  name: NAME,
  source: 'companies-house',
  isOn: ({ COMPANIES_HOUSE_STREAM_KEY }) => COMPANIES_HOUSE_STREAM_KEY !== null,
  feeds: ['filings'],
  everyMinutes: 30,
  firstDays: 30,
  async read(deps, _feed, { since, state, accounts }) {
    const from = numberAt(state, 'timepoint')
    const opened = await open(deps, from)
    if (opened.outcome !== 'ok') return toFailure(opened)
    if (opened.value) return readFilings(deps, opened.value, { since, from, accounts })
    const latest = await open(deps, null)
    if (latest.outcome !== 'ok' || !latest.value) return toFailure(latest)
    return readFilings(deps, latest.value, { since, from: null, accounts, gap: TOO_OLD })
  },
}

/** Without a timepoint, the stream begins with the next event; null when the timepoint is too old. */
function open(deps: ProviderDeps, timepoint: number | null) {
  const headers = {
    authorization: basicAuth(deps.config.COMPANIES_HOUSE_STREAM_KEY),
    // A compressed stream would arrive in delayed blocks.
    'accept-encoding': 'identity',
  }
  return openLines(deps, NAME, timepoint === null ? URL : `${URL}?timepoint=${timepoint}`, {
    headers,
    pace: PACE,
    timeouts: { body: MAX_MS, total: MAX_MS },
    maxBytes: MAX_BYTES,
    accepted: timepoint === null ? null : 416,
  })
}

function toFailure(opened: { outcome: string; reason?: string }): FeedResult {
  return { outcome: 'failed', reason: opened.reason ?? `${NAME} sent no content.` }
}

type Since = { since: string; from: number | null; accounts: AccountLookup; gap?: string }

async function readFilings(
  deps: ProviderDeps,
  lines: AsyncIterable<string>,
  { since, from, accounts, gap }: Since,
): Promise<FeedResult> {
  const found: StreamItem[] = []
  let waiting: Filing[] = []
  let last: { timepoint: number; published: number } | null = null
  let [events, unread, heartbeats] = [0, 0, 0]
  const officers = { named: 0, unnamed: 0 }
  let isLimited = false
  let cut: string | null = null
  async function keepThoseOfAccounts() {
    found.push(...(await toItems(accounts, waiting)))
    waiting = []
  }
  try {
    for await (const line of lines) {
      if (line.trim() === '') {
        if (++heartbeats === IDLE_HEARTBEATS) break
        continue
      }
      heartbeats = 0
      const event = readEvent(line)
      if (event) {
        events++
        last = event
        if (event.officer) officers[event.officer]++
        if (event.filing && event.filing.day >= since) waiting.push(event.filing)
      } else unread++
      // Those that wait may all be of accounts, and the next run does not read them again.
      isLimited = found.length + waiting.length >= MAX_ITEMS
      if (isLimited) break
      if (waiting.length >= BATCH) await keepThoseOfAccounts()
    }
  } catch (error) {
    isLimited = error instanceof OutboundError && (error.kind === 'timeout' || error.kind === 'too_large')
    if (deps.signal.aborted && events > 0) cut = abortedReason(NAME)
    else if (!isLimited) {
      const failed = await reportRequestError(deps, NAME, error)
      if (events === 0) return failed
      cut = failed.reason
    }
  }
  const isBehind = isLimited && last !== null && last.published < deps.now().getTime() - BEHIND_MS
  if (isBehind) cut = `${NAME} has more filings: the next run reads the rest.`
  const areNamesMissing = officers.named === 0 && officers.unnamed >= MIN_UNNAMED
  if (unread > events || areNamesMissing) return reportUnexpectedFormat(deps, NAME)
  await keepThoseOfAccounts()
  const timepoint: number | null = last?.timepoint ?? from
  const state = timepoint === null ? null : { timepoint }
  const skipped = unread > 0 && `${unread} of ${events + unread} entries of ${NAME} could not be read.`
  const reason = [gap, skipped, cut].filter((one) => one).join(' ')
  if (found.length > 0) return feedResult(deps, NAME, found, state, reason || undefined)
  return { outcome: 'nothing', state, ...(reason && { reason }) }
}

type Filing = { id: string; number: string; day: string; change: string }

type FilingEvent = {
  timepoint: number
  published: number
  /** Null if it proves no signal. */
  filing: Filing | null
  /** Whether a filing that announces the name of a director has it; null for other filings. */
  officer: 'named' | 'unnamed' | null
}

/** Null when the format of the event is unexpected. */
function readEvent(line: string): FilingEvent | null {
  const event = tryParseJson(line)
  const timepoint = numberAt(event, 'event', 'timepoint')
  const [, number, id] =
    /^\/company\/([A-Z0-9]{8})\/filing-history\/([\w-]{1,100})$/.exec(textAt(event, 'resource_uri') ?? '') ?? []
  if (timepoint === null || !number || !id) return null
  const stated = textAt(event, 'event', 'published_at')
  const common = { timepoint, published: Date.parse(stated?.endsWith('Z') ? stated : `${stated}Z`) }
  if (textAt(event, 'event', 'type') === 'deleted' || !COMPANY_NUMBER.test(number))
    return { ...common, filing: null, officer: null }
  const day = dateAt(event, 'data', 'date')
  const description = textAt(event, 'data', 'description')
  if (!day || !description) return null
  const values = valueAt(event, 'data', 'description_values')
  const change = describeChange(description, values, day)
  const isNamed = /^(?:appoint-person|termination)-director-company-with-name/.test(description)
  const officer = isNamed ? (textAt(values, 'officer_name') ? 'named' : 'unnamed') : null
  return { ...common, filing: change === null ? null : { id, number, day, change }, officer }
}

/**
 * The appointment or departure of a director, as the rest of a sentence that begins with the company's name. Other
 * filings prove no signal: a charge may be renewed, and an office may be that of an agent.
 */
function describeChange(description: string, values: unknown, day: string): string | null {
  const name = textAt(values, 'officer_name')
  // A director may be a company.
  const person = name && !hasLegalForm(name) ? cutText(name, MAX_NAME_CHARS) : null
  const changed = ['appointment_date', 'termination_date'].flatMap((field) => dateAt(values, field) ?? [])[0]
  if (!person || (changed && changed < daysBefore(day, LATE_DAYS))) return null
  const on = changed ? ` on ${changed}` : ''
  if (description.startsWith('appoint-person-director-company')) return `appointed ${person} as a director${on}`
  if (!description.startsWith('termination-director-company')) return null
  return `reported that ${person} left as a director${on}`
}

/**
 * The filings of accounts. Items are stored for all workspaces, so they are no leads that would reveal an account, and have
 * the number instead of a domain, which only one of the workspaces may know.
 */
async function toItems(accounts: AccountLookup, filings: readonly Filing[]): Promise<StreamItem[]> {
  const numbers = [...new Set(filings.map(({ number }) => number))]
  const known = await accounts.registered('companies-house', numbers)
  return filings.flatMap(({ id, number, day, change }): StreamItem[] => {
    const name = known.get(number)
    if (name === undefined) return []
    const claim = `${readableName(name)} ${change}.`
    return [
      {
        key: id,
        company: { name, domain: null },
        about: [],
        hints: { named: [], witnesses: [] },
        ref: { register: 'companies-house', register_id: number },
        document: {
          url: `https://find-and-update.company-information.service.gov.uk/company/${number}/filing-history/${id}/document?format=pdf&download=0`,
          kind: 'mention',
          title: claim,
          text: `${claim}\nFiled at Companies House, company number ${number}.`,
          published_date: day,
          // check-words-ignore: the name of the database column
          tells: [{ signal_id: 'leadership_change', claim }],
        },
      },
    ]
  })
}
