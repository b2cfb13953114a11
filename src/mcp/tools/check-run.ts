import { ApiError, type Bellwether } from '@bellwether/client'
import { type Static, Type } from 'typebox'
import {
  formatRun,
  loadDiscoveryReport,
  RunReport,
  toPushReport,
  toScanReport,
  toSearchReport,
} from '../records/run.ts'
import { defineTool, READ_ONLY, ToolArguments, type ToolContext } from '../shared/define.ts'
import { ToolError } from '../shared/errors.ts'
import { followPush, followRun, waitSecondsArgument } from '../shared/wait.ts'

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
