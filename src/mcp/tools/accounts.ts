import type { Schemas } from '@bellwether/client'
import { resolveAccount, resolveMemberId } from '@bellwether/client/names'
import { Type } from 'typebox'
import { Nullable, OneOf } from '../../http/schema.ts'
import {
  AccountReport,
  AccountSummary,
  formatAccountReport,
  formatAccountSummary,
  readAccountReport,
  toAccountSummary,
} from '../records/accounts.ts'
import { nextStepFor, ToolError } from '../shared/errors.ts'
import { LOOKUP } from '../shared/names.ts'
import {
  ADDITIVE,
  ClosedObject,
  defineTool,
  formatRemaining,
  pagingArguments,
  READ_ONLY,
  relationshipArgument,
  ToolArguments,
} from '../shared/tool.ts'
import { quoteName, singleLine } from '../shared/untrusted-text.ts'

export const searchAccountsTool = defineTool({
  name: 'search_accounts',
  title: 'Search accounts',
  description:
    'Finds accounts (companies) by part of their name or domain, status, owner, tag, score, hotness, industry, country or relationship (customer, open or lost deal); highest score first. Use it to find the hottest accounts or to look up an id. Free.',
  input: ToolArguments(
    {
      query: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the name or the domain' })),
      status: Type.Optional(OneOf(['suggested', 'active', 'rejected', 'unqualified', 'new'])),
      hot: Type.Optional(
        Type.Boolean({ description: 'true: only hot accounts. false: only accounts that are not hot' }),
      ),
      owner: Type.Optional(Type.String({ description: '"me", or the name, email or id of a member' })),
      tag: Type.Optional(Type.String({ description: 'Only accounts with this tag' })),
      min_score: Type.Optional(Type.Integer({ description: 'This score or higher, 0 to 100' })),
      industry: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the industry' })),
      country: Type.Optional(Type.String({ maxLength: 300, description: 'The name of the country' })),
      relationship: relationshipArgument,
      run_id: Type.Optional(Type.String({ description: 'Only accounts found by this discovery' })),
      sort: OneOf(['score', 'last_signal_at', 'created_at'], {
        default: 'score',
        description: 'Highest or latest first',
      }),
      ...pagingArguments(10, 50),
    },
    { hot: true, owner: 'me', limit: 5 },
  ),
  output: ClosedObject({
    accounts: Type.Array(AccountSummary),
    total: Type.Integer({ description: 'Number of matches' }),
    page: Type.Integer(),
    limit: Type.Integer(),
    has_more: Type.Boolean(),
  }),
  annotations: READ_ONLY,
  async run(client, { query: search, owner, relationship, sort, page, limit: per_page, ...filters }) {
    const owner_id = owner && (await resolveMemberId(client, owner))
    const filter = {
      ...filters,
      search,
      owner_id,
      relationship: relationship?.join(',') || undefined,
      page,
      per_page,
      sort: sort as 'score',
    }
    const { data, pagination } = await client.get('/v1/accounts', { query: filter })
    const { total, has_more } = pagination
    return { accounts: data.map(toAccountSummary), total, page, limit: per_page, has_more }
  },
  text({ accounts, total, page, limit }) {
    if (accounts.length === 0) return total > 0 ? `No page ${page}: ${total} accounts match.` : 'No account matches.'
    const more = formatRemaining({ total, page, shown: accounts.length, perPage: limit })
    return `Matching accounts: ${total}.\n${accounts.map(formatAccountSummary).join('\n')}${more}`
  },
})

export const readAccountTool = defineTool({
  name: 'read_account',
  title: 'Read an account',
  description:
    'Reads one account: what its score is made of, why now, the signals found with the sentence that proves each and its source, the drafted message, and the number of known people. Use it before a call or a message. Free.',
  input: ToolArguments(
    {
      account: Type.String({ minLength: 1, maxLength: 300, description: 'Id, domain or exact name of the account' }),
      full: Type.Boolean({
        default: false,
        description:
          'true: up to 25 signals with every proof and every draft. Long; use it when the short result is not enough',
      }),
      skip: Type.Integer({
        minimum: 0,
        default: 0,
        description: 'Number of signals to skip, for reading further ones',
      }),
    },
    { account: 'northwind.example' },
  ),
  output: AccountReport,
  annotations: READ_ONLY,
  run: (client, { account, ...options }) => readAccountReport(client, account, options),
  text: formatAccountReport,
})

const MAX_ADDED = 100

export const addAccountsTool = defineTool({
  name: 'add_accounts',
  title: 'Add accounts',
  description:
    'Adds companies as suggested accounts. A domain that exists already is left unchanged, so a repeated call is harmless when domains are given. Free; activate_accounts starts watching them.',
  input: ToolArguments(
    {
      accounts: Type.Array(
        Type.Object({
          name: Type.String({ minLength: 1, maxLength: 300, description: 'Name of the company' }),
          domain: Type.Optional(Type.String({ maxLength: 2048, description: 'Domain or URL of its website' })),
          tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 100 })),
        }),
        {
          minItems: 1,
          maxItems: MAX_ADDED,
          description: `Companies, each with name, domain and tags; at most ${MAX_ADDED}`,
        },
      ),
      owner: Type.Optional(
        Type.String({ description: 'Owner of the accounts: "me", or the name, email or id of a member' }),
      ),
    },
    { accounts: [{ name: 'Northwind Freight', domain: 'northwind.example', tags: ['rail'] }] },
  ),
  output: ClosedObject({
    accounts: Type.Array(
      ClosedObject({
        id: Type.String(),
        name: Type.String(),
        domain: Nullable(Type.String()),
        status: Type.String(),
        created: Type.Boolean({ description: 'false: it existed already and is unchanged' }),
      }),
    ),
  }),
  // A repeated call adds companies without a domain again.
  annotations: { ...ADDITIVE, idempotentHint: false },
  async run(client, { accounts, owner }) {
    const owner_id = owner && (await resolveMemberId(client, owner))
    const body = accounts.map((account) => ({ ...account, ...(owner_id ? { owner_id } : {}) }))
    // The response to a list is a list, and without `partial` every item is an account.
    const added = (await client.post('/v1/accounts', { body })) as Schemas['CreatedAccount'][]
    return {
      accounts: added.map(({ id, name, domain, status, created }) => ({
        id,
        name: singleLine(name, 120),
        domain,
        status,
        created,
      })),
    }
  },
  text({ accounts }) {
    const added = accounts.filter(({ created }) => created).length
    const lines = accounts.map(
      ({ id, name, domain, status, created }) =>
        `- ${quoteName(name)} (${domain ?? 'no domain'}, ${created ? 'added' : `existed, ${status}`}), id ${id}`,
    )
    return `${added} added, ${accounts.length - added} existed already.\n${lines.join('\n')}`
  },
})

const MAX_ACTIVATED = 50

export const activateAccountsTool = defineTool({
  name: 'activate_accounts',
  title: 'Activate accounts',
  description:
    'Activates suggested accounts: from then on they are enriched, scanned and watched, and their people can be found. Uses ONE PLAN CREDIT per account, so ask the person before you activate more than they named. An account that is already active uses none.',
  input: ToolArguments(
    {
      accounts: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        minItems: 1,
        maxItems: MAX_ACTIVATED,
        description: `Ids, domains or exact names; at most ${MAX_ACTIVATED}`,
      }),
    },
    { accounts: ['northwind.example'] },
  ),
  output: ClosedObject({
    active: Type.Array(ClosedObject({ id: Type.String(), name: Type.String() }), {
      description: 'Accounts that are active now, including those that were before',
    }),
    credits_taken: Type.Integer(),
    refused: Type.Array(
      ClosedObject({ id: Type.String(), name: Type.String(), code: Type.String(), message: Type.String() }),
    ),
  }),
  // Activation reads their websites.
  annotations: { ...ADDITIVE, openWorldHint: true },
  async run(client, { accounts }) {
    const resolved = await Promise.all(accounts.map((one) => resolveAccount(client, one, LOOKUP)))
    const found = new Map(resolved.map(({ id, name }) => [id, singleLine(name, 120)]))
    const nameOf = (id: string) => found.get(id) ?? id
    const body = { ids: [...found.keys()], action: 'activate' as const }
    const { results, before } = await client.post('/v1/accounts/bulk', { body })
    const refused = results.map(({ id, code, message }) => ({ id, name: nameOf(id), code, message }))
    if (refused.length === found.size) throw new ToolError(refused.map(refusal).join('\n'))
    const isRefused = new Set(refused.map(({ id }) => id))
    const active = [...found].filter(([id]) => !isRefused.has(id)).map(([id, name]) => ({ id, name }))
    return { active, credits_taken: before.length, refused }
  },
  text({ active, credits_taken, refused }) {
    const lines = active.map(({ id, name }) => `- ${quoteName(name)}, id ${id}`)
    const rest = refused.length > 0 ? `\nRefused:\n${refused.map((one) => `- ${refusal(one)}`).join('\n')}` : ''
    const summary =
      credits_taken === 0
        ? 'Already active; no credits used'
        : `Active; credits used: ${credits_taken}. ${credits_taken < active.length ? 'The newly activated ones' : 'They'} are being scanned now`
    return `${summary}:\n${lines.join('\n')}${rest}`
  },
})

const refusal = ({ name, code, message }: { name: string; code: string; message: string }) =>
  `${quoteName(name)}: ${message} ${nextStepFor(code)} (${code})`
