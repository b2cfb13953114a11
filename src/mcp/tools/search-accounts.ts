import { Type } from 'typebox'
import { OneOf } from '../../http/schema.ts'
import {
  AccountSummary,
  formatAccountSummary,
  formatRemaining,
  pagingArguments,
  toAccountSummary,
} from '../records/listed.ts'
import { ClosedObject, defineTool, READ_ONLY, ToolArguments } from '../shared/define.ts'
import { findOwner } from '../shared/resolve.ts'

export const searchAccountsTool = defineTool({
  name: 'search_accounts',
  title: 'Search accounts',
  description:
    'Finds accounts (companies) by part of their name or domain, status, owner, tag, score, heat, industry or country; the highest score first. Use it to find the hottest accounts or to learn an id. Costs nothing.',
  input: ToolArguments(
    {
      query: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the name or the domain' })),
      status: Type.Optional(OneOf(['suggested', 'active', 'rejected', 'unqualified', 'new'])),
      hot: Type.Optional(Type.Boolean({ description: 'true: only hot accounts. false: only others' })),
      owner: Type.Optional(Type.String({ description: '"me", or the name, email or id of a member' })),
      tag: Type.Optional(Type.String({ description: 'Only accounts with this tag' })),
      min_score: Type.Optional(Type.Integer({ description: 'This score or higher, 0 to 100' })),
      industry: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the industry' })),
      country: Type.Optional(Type.String({ maxLength: 300, description: 'The name of the country' })),
      run_id: Type.Optional(Type.String({ description: 'Only what this discovery found' })),
      sort: OneOf(['score', 'last_signal_at', 'created_at'], {
        default: 'score',
        description: 'The highest or latest first',
      }),
      ...pagingArguments(10, 50),
    },
    { hot: true, owner: 'me', limit: 5 },
  ),
  output: ClosedObject({
    accounts: Type.Array(AccountSummary),
    total: Type.Integer({ description: 'How many match' }),
    page: Type.Integer(),
    limit: Type.Integer(),
    has_more: Type.Boolean(),
  }),
  annotations: READ_ONLY,
  async run(client, { query: search, owner, sort, page, limit: per_page, ...filters }) {
    const owner_id = owner && (await findOwner(client, owner))
    const asked = { ...filters, search, owner_id, page, per_page, sort: sort as 'score' }
    const { data, pagination } = await client.get('/v1/accounts', { query: asked })
    const { total, has_more } = pagination
    return { accounts: data.map(toAccountSummary), total, page, limit: per_page, has_more }
  },
  text({ accounts, total, page, limit }) {
    if (accounts.length === 0) return total > 0 ? `No page ${page}: ${total} accounts match.` : 'No account matches.'
    const more = formatRemaining({ total, page, shown: accounts.length, perPage: limit })
    return `Accounts that match: ${total}.\n${accounts.map(formatAccountSummary).join('\n')}${more}`
  },
})
