import { ApiError, type Bellwether } from '@bellwether/client'
import { resolveAccountId, resolveSignalIds } from '@bellwether/client/names'
import { type Static, Type } from 'typebox'
import {
  DiscoveryReport,
  formatRun,
  loadDiscoveryReport,
  RunReport,
  ScanReport,
  toPushReport,
  toScanReport,
  toSearchReport,
} from '../records/runs.ts'
import { ToolError } from '../shared/errors.ts'
import { LOOKUP } from '../shared/names.ts'
import { ADDITIVE, defineTool, READ_ONLY, requestKeyArgument, ToolArguments, type ToolContext } from '../shared/tool.ts'
import { followPush, followRun, waitSecondsArgument } from '../shared/wait.ts'

export const scanAccountTool = defineTool({
  name: 'scan_account',
  title: 'Scan an account',
  description:
    'Reads the site, feeds, job boards, filings and news of one account anew for every signal, and waits for the end with progress. Takes about a minute and uses paid research where sources cost. Use it when read_account is out of date. While one is running, the same scan is answered. It goes on when you stop waiting.',
  input: ToolArguments(
    {
      account: Type.String({ minLength: 1, maxLength: 300, description: 'Its id, its domain or its exact name' }),
      wait_seconds: waitSecondsArgument,
    },
    { account: 'northwind.example' },
  ),
  output: ScanReport,
  annotations: { ...ADDITIVE, idempotentHint: false, openWorldHint: true },
  async run(client, { account, wait_seconds }, context) {
    const id = await resolveAccountId(client, account, LOOKUP)
    const { run_id, jobs } = await client.post('/v1/accounts/{id}/scan', { path: { id } })
    context.progress(0, jobs, `Looking for ${jobs} signals`)
    return toScanReport({ ...(await followRun(client, run_id, wait_seconds, context)), account_id: id })
  },
  text: formatRun,
})

const signals = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { maxItems: 100, description: `${description}, by id or name` }),
  )
const words = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 300, description }))

export const discoverTool = defineTool({
  name: 'discover',
  title: 'Discover companies',
  description:
    'Finds new companies that show signals, by geography, industry and size, and adds those that match as suggested accounts; waits with progress. Can take minutes and uses paid research: start it when the person wants new accounts, not to look at known ones. It goes on when you stop waiting.',
  input: ToolArguments(
    {
      any_of: signals('One of these signals'),
      must_have: signals('All of these signals'),
      exclude: signals('None of these signals'),
      name: Type.Optional(Type.String({ maxLength: 200, description: 'What to call it' })),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 99_999, description: 'Events of the last so many days; 90 unless given' }),
      ),
      geographies: words('Regions (DACH), countries, states or cities'),
      industries: words('Industries by any usual name'),
      employee_min: Type.Optional(Type.Integer({ minimum: 0 })),
      employee_max: Type.Optional(Type.Integer({ minimum: 0 })),
      wait_seconds: waitSecondsArgument,
      request_key: requestKeyArgument,
    },
    { any_of: ['funding'], geographies: ['DACH'], industries: ['Logistics'], employee_min: 50 },
  ),
  output: DiscoveryReport,
  annotations: { ...ADDITIVE, idempotentHint: false, openWorldHint: true },
  async run(client, args, context) {
    const { any_of = [], must_have = [], exclude = [], days, wait_seconds, request_key, ...rest } = args
    const [some, all, none] = await Promise.all(
      [any_of, must_have, exclude].map((list) => resolveSignalIds(client, list)),
    )
    const { run_id } = await client.post('/v1/runs', {
      body: {
        ...rest,
        signals: { any_of: some, must_have: all, exclude: none },
        ...(days === undefined ? {} : { recency: String(days) }),
      },
      ...(request_key ? { idempotencyKey: request_key } : {}),
    })
    context.progress(0, null, 'Looking for companies')
    return loadDiscoveryReport(client, await followRun(client, run_id, wait_seconds, context))
  },
  text: formatRun,
})

export const checkRunTool = defineTool({
  name: 'check_run',
  title: 'Check work in the background',
  description:
    'Says how far a scan, a discovery, a push or a search for people is and what it has brought, by the run_id that started it; waits for the end with progress. Costs nothing.',
  input: ToolArguments(
    {
      run_id: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'As scan_account, discover, push or find_people answered it',
      }),
      wait_seconds: { ...waitSecondsArgument, default: 0 },
    },
    { run_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90', wait_seconds: 30 },
  ),
  output: RunReport,
  annotations: READ_ONLY,
  async run(client, { run_id, wait_seconds }, context) {
    for (const look of [scanOrDiscovery, push, search]) {
      const report = await look(client, run_id.trim(), wait_seconds, context).catch(unlessMissing)
      if (report) return report
    }
    throw new ToolError(
      'You have no scan, discovery, push or search with this run_id. Use the one the tool answered that started it.',
    )
  },
  text: formatRun,
})

type Look = (client: Bellwether, id: string, seconds: number, context: ToolContext) => Promise<Static<typeof RunReport>>

const scanOrDiscovery: Look = async (client, id, seconds, context) => {
  const run = await followRun(client, id, seconds, context)
  const { account_id } = run
  return account_id ? toScanReport({ ...run, account_id }) : loadDiscoveryReport(client, run)
}

const push: Look = async (client, id, seconds, context) => toPushReport(await followPush(client, id, seconds, context))

/** A search lasts as long as the call that started it, and is not waited for. */
const search: Look = async (client, id) =>
  toSearchReport(await client.get('/v1/people/searches/{id}', { path: { id } }))

function unlessMissing(error: unknown): null {
  if (ApiError.is(error, 'not_found')) return null
  throw error
}
