import { resolveMemberId, resolveSignalIds } from '@bellwether/client/names'
import { type Static, Type } from 'typebox'
import { BRIEF_FINDING, FindingRecord, formatFinding, toFindingRecord } from '../records/findings.ts'
import { ToolError } from '../shared/errors.ts'
import {
  ClosedObject,
  defineTool,
  formatRemaining,
  pagingArguments,
  READ_ONLY,
  relationshipArgument,
  ToolArguments,
} from '../shared/tool.ts'
import { quoteName, singleLine, UNTRUSTED_NOTICE } from '../shared/untrusted-text.ts'

const DAY_MS = 86_400_000
/** Used when the person has never opened their feed. */
const DEFAULT_DAYS = 7

const input = ToolArguments(
  {
    since: Type.Optional(
      Type.String({
        description: `A date (2026-11-09), a time (2026-11-09T08:00:00Z) or an age (7d, 12h). Without it and \`days\`: ${DEFAULT_DAYS} days`,
      }),
    ),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, description: 'Number of days back, instead of `since`' }),
    ),
    signals: Type.Optional(
      Type.Array(Type.String(), { maxItems: 30, description: 'Only these signals, by id or name' }),
    ),
    owner: Type.Optional(
      Type.String({ description: 'Only at accounts owned by "me", or by a member given by name, email or id' }),
    ),
    tag: Type.Optional(Type.String({ description: 'Only at accounts with this tag' })),
    hot: Type.Optional(Type.Boolean({ description: 'true: only at hot accounts' })),
    relationship: relationshipArgument,
    ...pagingArguments(10, 30),
  },
  { days: 7, owner: 'me', signals: ['funding'] },
)

export const whatsNewTool = defineTool({
  name: 'whats_new',
  title: "What's new",
  description:
    'Lists recent findings of all accounts, latest first, each with its proof and source: since a date, or of the last days. Filter by signal, owner ("me"), tag or relationship: `lost_deal` answers which lost deals have news. Use it for a morning or weekly review. Free.',
  input,
  output: ClosedObject({
    since: Type.String(),
    findings: Type.Array(
      ClosedObject({
        account: ClosedObject({
          id: Type.String(),
          name: Type.String(),
          domain: Type.Union([Type.String(), Type.Null()]),
          score: Type.Integer(),
        }),
        finding: FindingRecord,
      }),
    ),
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    has_more: Type.Boolean(),
  }),
  annotations: READ_ONLY,
  async run(client, args) {
    const { tag, hot, page, limit: per_page } = args
    const since = resolveSince(args)
    const owner_id = args.owner && (await resolveMemberId(client, args.owner))
    const signal_id = (await resolveSignalIds(client, args.signals ?? [])).join(',') || undefined
    const relationship = args.relationship?.join(',') || undefined
    const query = { since, owner_id, signal_id, tag, hot, relationship, page, per_page }
    const { data, pagination } = await client.get('/v1/detections', { query })
    const findings = data.map(({ account: { id, name, domain, score }, ...one }) => ({
      account: { id, name: singleLine(name, 120), domain, score },
      finding: toFindingRecord(one, BRIEF_FINDING),
    }))
    const { total, has_more } = pagination
    return { since, findings, total, page, limit: per_page, has_more }
  },
  text({ since, findings, total, page, limit }) {
    if (findings.length === 0)
      return total > 0
        ? `No page ${page}: ${total} findings since ${since} match.`
        : `No matching findings since ${since}.`
    const items = findings.map(({ account, finding: one }) =>
      formatFinding(one, ` at ${quoteName(account.name)} (score ${account.score}, id ${account.id})`),
    )
    const more = formatRemaining({ total, page, shown: findings.length, perPage: limit })
    return `Findings since ${since}: ${total}. ${UNTRUSTED_NOTICE}\n\n${items.join('\n\n')}${more}`
  },
})

function resolveSince({ since, days }: Static<typeof input>): string {
  const daysAgo = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString()
  if (days !== undefined) return daysAgo(days)
  if (since === undefined) return daysAgo(DEFAULT_DAYS)
  const [, count, unit] = /^(\d{1,4})\s*([dh])$/i.exec(since.trim()) ?? []
  if (count) return daysAgo(Number(count) / (unit?.toLowerCase() === 'h' ? 24 : 1))
  const moment = new Date(since.trim())
  if (Number.isNaN(moment.getTime()))
    throw new ToolError(
      `\`since\` must be a date, a time or an age, such as 2026-11-09, 2026-11-09T08:00:00Z or 7d; ${quoteName(since)} is none of these.`,
    )
  return moment.toISOString()
}
