import type { Bellwether, Schemas } from '@bellwether/client'
import { resolveAccountId } from '@bellwether/client/names'
import { type Static, Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { LOOKUP } from '../shared/names.ts'
import { ClosedObject } from '../shared/tool.ts'
import { blockQuote, ELLIPSIS, quoteName, singleLine, UNTRUSTED_NOTICE, visibleText } from '../shared/untrusted-text.ts'
import { BRIEF_FINDING, FindingRecord, FULL_FINDING, formatFinding, toFindingRecord } from './findings.ts'

/** An account in a list: the fields that identify it and its priority. */
export const AccountSummary = ClosedObject({
  id: Type.String(),
  name: Type.String(),
  domain: Nullable(Type.String()),
  status: Type.String({ description: 'suggested, active, rejected, unqualified or new' }),
  score: Type.Integer({ description: '0 to 100' }),
  is_hot: Type.Boolean(),
  industry: Nullable(Type.String()),
  employees: Nullable(Type.Integer()),
  country: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  owner_id: Nullable(Type.String()),
  relationship: Type.String({ description: 'By the CRM: customer, open_deal, lost_deal, former_customer or none' }),
  last_signal_at: Nullable(Type.String()),
})
type AccountSummary = Static<typeof AccountSummary>

const MAX_TAGS = 10

export function toAccountSummary(account: Schemas['ListedAccount']): AccountSummary {
  const { id, domain, status, score, is_hot, employees, owner_id, relationship, last_signal_at } = account
  const short = (text: string | null) => text && singleLine(text, 80)
  return {
    ...{ id, name: singleLine(account.name, 120), domain, status, score, is_hot },
    ...{ industry: short(account.industry), employees, country: short(account.country) },
    ...{ tags: account.tags.slice(0, MAX_TAGS).map((tag) => singleLine(tag, 60)), owner_id },
    ...{ relationship, last_signal_at },
  }
}

export function formatAccountSummary({
  id,
  name,
  domain,
  status,
  score,
  is_hot,
  industry,
  country,
  relationship,
  last_signal_at,
}: AccountSummary) {
  const facts = [
    domain,
    status,
    nameRelationship(relationship),
    industry && quoteName(industry, 40),
    country && quoteName(country, 40),
  ].filter(Boolean)
  const last = last_signal_at ? `, last signal ${last_signal_at.slice(0, 10)}` : ''
  return `- ${quoteName(name)} **${score}**${is_hot ? ' hot' : ''} (${facts.join(', ')})${last}, id ${id}`
}

/** "lost deal"; null for none. */
const nameRelationship = (relationship: string) => (relationship === 'none' ? null : relationship.replace('_', ' '))

/** Signals shown at once: more of them fill a context window and do not help with a call. */
const SIGNALS_BRIEF = 5
const SIGNALS_FULL = 25
/** Characters of all signals together; the result contains them twice, as text and as structured content. */
const MAX_SIGNALS_CHARS = 16_000
/** Short, because the signals below it contain the same facts. */
const WHY_NOW_CHARS = 300
/** Long enough for most drafts, because part of a message is of no use. */
const DRAFT_CHARS = 800

export const AccountReport = ClosedObject({
  account: AccountSummary,
  last_scanned_at: Nullable(Type.String()),
  relationship_on: Nullable(Type.String({ description: 'The day of the deal that decides the relationship' })),
  score: ClosedObject({
    total: Type.Integer(),
    because: Type.Array(ClosedObject({ name: Type.String(), points: Type.Number(), because: Type.String() })),
  }),
  people: Type.Integer({ description: 'Number of people at the account that you can see' }),
  skipped_signals: Type.Integer({ description: 'Findings before these, left out by skip' }),
  signals: Type.Array(FindingRecord, { description: 'Latest event first' }),
  more_signals: Type.Integer({ description: 'Findings after these that are not shown; use skip to read them' }),
  quoted: ClosedObject(
    {
      description: Nullable(Type.String()),
      why_now: Nullable(Type.String()),
      lost_because: Nullable(Type.String({ description: 'Why the deal was lost, as the CRM says' })),
      draft: Nullable(
        Type.String({ description: 'The message drafted for the strongest signal, for a person to review' }),
      ),
    },
    { description: UNTRUSTED_NOTICE },
  ),
})
export type AccountReport = Static<typeof AccountReport>

/** Reads an account with its findings, by id, domain or name. */
export async function readAccountReport(
  client: Bellwether,
  nameOrId: string,
  { full = false, skip = 0 } = {},
): Promise<AccountReport> {
  const path = { id: await resolveAccountId(client, nameOrId, LOOKUP) }
  const [account, score, signals, people] = await Promise.all([
    client.get('/v1/accounts/{id}', { path }),
    client.get('/v1/accounts/{id}/score', { path }),
    client.get('/v1/accounts/{id}/signals', { path, query: { present: true } }),
    client.get('/v1/people', { query: { account_id: path.id, per_page: 1 } }),
  ])
  const shown = limitChars(
    signals
      .slice(skip, skip + (full ? SIGNALS_FULL : SIGNALS_BRIEF))
      .map((one) => toFindingRecord(one, full ? FULL_FINDING : BRIEF_FINDING)),
  )
  const cut = (text: string | null, max: number) => text && visibleText(text, full ? FULL_FINDING.written : max)
  return {
    account: toAccountSummary(account),
    last_scanned_at: account.last_scanned_at,
    relationship_on: account.relationship_on,
    score: {
      total: score.score,
      because: score.components.slice(0, full ? 20 : SIGNALS_BRIEF).map(({ name, points, because }) => ({
        ...{ name: singleLine(name, 60), points: Math.round(points), because: singleLine(because, 120) },
      })),
    },
    people: people.pagination.total,
    skipped_signals: Math.min(skip, signals.length),
    signals: shown,
    more_signals: Math.max(0, signals.length - skip - shown.length),
    quoted: {
      description: cut(account.short_description, 200),
      why_now: cut(account.why_now_md, WHY_NOW_CHARS),
      lost_because: account.relationship_reason && singleLine(account.relationship_reason, 120),
      draft: cut(strongest(signals)?.drafted_message_md ?? null, DRAFT_CHARS),
    },
  }
}

/** The first findings that fit into the character limit, at least one. */
function limitChars(findings: FindingRecord[]): FindingRecord[] {
  let left = MAX_SIGNALS_CHARS
  return findings.filter((one, at) => {
    left -= JSON.stringify(one).length
    return at === 0 || left >= 0
  })
}

function strongest(signals: Schemas['SignalDetection'][]) {
  return signals.toSorted((a, b) => b.alpha - a.alpha).find(({ drafted_message_md }) => drafted_message_md)
}

export function formatAccountReport(report: AccountReport): string {
  const { account, score, people, skipped_signals, signals, more_signals, quoted, last_scanned_at } = report
  const lost = quoted.lost_because ? ` because ${quoteName(quoted.lost_because, 120)}` : ''
  const relationship = nameRelationship(account.relationship)
  const facts = [
    account.domain,
    account.status,
    account.is_hot && 'hot',
    account.industry && quoteName(account.industry, 40),
    account.employees !== null && `${account.employees} employees`,
    account.country && quoteName(account.country, 40),
    account.tags.length > 0 && `tags ${account.tags.map((tag) => quoteName(tag, 40)).join(' ')}`,
  ].filter(Boolean)
  const scanned = last_scanned_at
    ? `Last scanned ${last_scanned_at.slice(0, 10)}.`
    : 'No scan of it has succeeded yet: scan_account starts one.'
  const isFull = signals.some((one) => one.quoted.draft !== undefined)
  const next = isFull || skipped_signals > 0 ? ` and skip: ${skipped_signals + signals.length}` : ''
  const parts = [
    `# ${quoteName(account.name)}: score ${score.total}`,
    `${facts.join(', ')}. Id ${account.id}. People known: ${people}. ${scanned}`,
    relationship ? `In the CRM: ${relationship}, ${report.relationship_on ?? 'day unknown'}${lost}.` : '',
    score.because
      .map(({ name, points, because }) => `- ${points} ${quoteName(name, 60)}: ${quoteName(because, 120)}`)
      .join('\n'),
    UNTRUSTED_NOTICE,
    quoted.description ? blockQuote(quoted.description) : '',
    quoted.why_now ? `Why now:\n${blockQuote(quoted.why_now)}` : '',
    signals.length > 0 ? '## Signals' : noneText(report),
    ...signals.map((one) => formatFinding(one)),
    more_signals > 0 ? `${more_signals} more findings: read_account with full: true${next}.` : '',
    quoted.draft && !isFull
      ? `Draft for the strongest signal, for a person to review:\n${blockQuote(quoted.draft)}`
      : '',
    !isFull && [quoted.why_now, quoted.draft].some((text) => text?.endsWith(ELLIPSIS))
      ? 'Text that ends in “…” was cut: read_account with full: true shows all of it.'
      : '',
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** Without a successful scan the absence of signals is unknown, not established. */
function noneText({ skipped_signals, last_scanned_at }: AccountReport): string {
  if (skipped_signals > 0) return 'No further signals.'
  return last_scanned_at ? 'No signal was found.' : 'Whether it shows signals is unknown.'
}
