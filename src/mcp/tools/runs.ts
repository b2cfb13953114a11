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
    'Reads the website, feeds, job boards, filings and news of one account again for every signal, and waits for the end with progress. Takes about a minute and uses paid research where sources charge for it. Use it when read_account is out of date. While a scan of the account is running, that scan is returned. It continues when you stop waiting.',
  input: ToolArguments(
    {
      account: Type.String({ minLength: 1, maxLength: 300, description: 'Id, domain or exact name of the account' }),
      wait_seconds: waitSecondsArgument,
    },
    { account: 'northwind.example' },
  ),
  output: ScanReport,
  annotations: { ...ADDITIVE, idempotentHint: false, openWorldHint: true },
  async run(client, { account, wait_seconds }, context) {
    const id = await resolveAccountId(client, account, LOOKUP)
    const { run_id, jobs } = await client.post('/v1/accounts/{id}/scan', { path: { id } })
    context.progress(0, jobs, `Checking ${jobs} signals`)
    return toScanReport({ ...(await followRun(client, run_id, wait_seconds, context)), account_id: id })
  },
  text: formatRun,
})

const signals = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { maxItems: 100, description: `${description}, by id or name` }),
  )
const phrases = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 300, description }))

export const discoverTool = defineTool({
  name: 'discover',
  title: 'Discover companies',
  description:
    'Finds new companies that show signals, by geography, industry and size, and adds the matches as suggested accounts; waits with progress. Can take minutes and uses paid research: start it when the person wants new accounts, not to check known ones. It continues when you stop waiting.',
  input: ToolArguments(
    {
      any_of: signals('At least one of these signals'),
      must_have: signals('All of these signals'),
      exclude: signals('None of these signals'),
      name: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the run' })),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 99_999, description: 'Maximum age of events in days; 90 by default' }),
      ),
      geographies: phrases('Regions (DACH), countries, states or cities'),
      industries: phrases('Industries by any common name'),
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
    const [anyOf, mustHave, excluded] = await Promise.all(
      [any_of, must_have, exclude].map((list) => resolveSignalIds(client, list)),
    )
    const { run_id } = await client.post('/v1/runs', {
      body: {
        ...rest,
        signals: { any_of: anyOf, must_have: mustHave, exclude: excluded },
        ...(days === undefined ? {} : { recency: String(days) }),
      },
      ...(request_key ? { idempotencyKey: request_key } : {}),
    })
    context.progress(0, null, 'Searching for companies')
    return loadDiscoveryReport(client, await followRun(client, run_id, wait_seconds, context))
  },
  text: formatRun,
})

export const checkRunTool = defineTool({
  name: 'check_run',
  title: 'Check background work',
  description:
    'Returns the progress and results of a scan, a discovery, a push or a people search, by its run_id; waits for the end with progress. Free.',
  input: ToolArguments(
    {
      run_id: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'As returned by scan_account, discover, push or find_people',
      }),
      wait_seconds: { ...waitSecondsArgument, default: 0 },
    },
    { run_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90', wait_seconds: 30 },
  ),
  output: RunReport,
  annotations: READ_ONLY,
  async run(client, { run_id, wait_seconds }, context) {
    for (const check of [checkScanOrDiscovery, checkPush, checkSearch]) {
      const report = await check(client, run_id.trim(), wait_seconds, context).catch(ignoreNotFound)
      if (report) return report
    }
    throw new ToolError(
      'You have no scan, discovery, push or search with this run_id. Use the run_id returned by the tool that started it.',
    )
  },
  text: formatRun,
})

type Check = (
  client: Bellwether,
  id: string,
  seconds: number,
  context: ToolContext,
) => Promise<Static<typeof RunReport>>

const checkScanOrDiscovery: Check = async (client, id, seconds, context) => {
  const run = await followRun(client, id, seconds, context)
  const { account_id } = run
  return account_id ? toScanReport({ ...run, account_id }) : loadDiscoveryReport(client, run)
}

const checkPush: Check = async (client, id, seconds, context) =>
  toPushReport(await followPush(client, id, seconds, context))

/** Not waited for: a search ends with the call that started it. */
const checkSearch: Check = async (client, id) =>
  toSearchReport(await client.get('/v1/people/searches/{id}', { path: { id } }))

function ignoreNotFound(error: unknown): null {
  if (ApiError.is(error, 'not_found')) return null
  throw error
}
