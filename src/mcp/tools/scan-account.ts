import { Type } from 'typebox'
import { formatRun, ScanReport, toScanReport } from '../records/run.ts'
import { ADDITIVE, defineTool, ToolArguments } from '../shared/define.ts'
import { findAccount } from '../shared/resolve.ts'
import { followRun, waitSecondsArgument } from '../shared/wait.ts'

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
    const { id } = await findAccount(client, account)
    const { run_id, jobs } = await client.post('/v1/accounts/{id}/scan', { path: { id } })
    context.progress(0, jobs, `Looking for ${jobs} signals`)
    return toScanReport({ ...(await followRun(client, run_id, wait_seconds, context)), account_id: id })
  },
  text: formatRun,
})
