import type { Schemas } from '@bellwether/client'
import { type Static, Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { ClosedObject } from '../shared/define.ts'
import { quoteName, singleLine } from '../shared/quoted.ts'

/** An account in a list: what tells it from others, and why to look at it. */
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
  last_signal_at: Nullable(Type.String()),
})
type AccountSummary = Static<typeof AccountSummary>

const TAGS = 10

export function toAccountSummary(account: Schemas['ListedAccount']): AccountSummary {
  const { id, domain, status, score, is_hot, employees, owner_id, last_signal_at } = account
  const short = (text: string | null) => text && singleLine(text, 80)
  return {
    ...{ id, name: singleLine(account.name, 120), domain, status, score, is_hot },
    ...{ industry: short(account.industry), employees, country: short(account.country) },
    ...{ tags: account.tags.slice(0, TAGS).map((tag) => singleLine(tag, 60)), owner_id, last_signal_at },
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
  last_signal_at,
}: AccountSummary) {
  const facts = [domain, status, industry && quoteName(industry, 40), country && quoteName(country, 40)].filter(Boolean)
  const last = last_signal_at ? `, last signal ${last_signal_at.slice(0, 10)}` : ''
  return `- ${quoteName(name)} **${score}**${is_hot ? ' hot' : ''} (${facts.join(', ')})${last}, id ${id}`
}

/** How many more there are and how to get them; empty where these are all. */
export function formatRemaining({
  total,
  page,
  shown,
  perPage,
}: {
  total: number
  page: number
  shown: number
  perPage: number
}) {
  const left = total - (page - 1) * perPage - shown
  return left > 0 ? `\n\n${left} more: ask for page ${page + 1}, or narrow the search.` : ''
}

/** Which page of a list, and how long it is: short unless asked for more. */
export const pagingArguments = (usual: number, most: number) => ({
  page: Type.Integer({ minimum: 1, default: 1, description: 'Which page, from 1' }),
  limit: Type.Integer({
    minimum: 1,
    maximum: most,
    default: usual,
    description: `Records on a page, at most ${most}; ${usual} unless given`,
  }),
})
