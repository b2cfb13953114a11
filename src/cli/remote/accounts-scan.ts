import type { Schemas } from '@bellwether/client'
import { resolveAccountIds } from '@bellwether/client/names'
import type { Command } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { showFinding, showRunOutcome } from './show.ts'
import { expandStdin, remoteCommand, withSession } from './session.ts'
import { waitForRun } from './wait.ts'

export function scanAccountsCommand(accounts: Command, io: TerminalIo): void {
  remoteCommand(accounts, 'scan <account...>', 'Scan accounts now: website, job board, filings and news', [
    'accounts scan acme.com --wait',
    'accounts list --status active --ids | bellwether accounts scan -',
  ])
    .option('--wait', 'wait until it is done and show the findings')
    .action(
      withSession(io, async (session, given: string[], { wait }: { wait?: boolean }) => {
        const { client, out, json, note } = session
        const ids = await resolveAccountIds(client, await expandStdin(io, given))
        const started: (Schemas['ScanStarted'] & { account_id: string })[] = []
        for (const id of ids)
          started.push({ account_id: id, ...(await client.post('/v1/accounts/{id}/scan', { path: { id } })) })
        if (!wait) {
          if (json) return out.json(started)
          for (const { run_id } of started) out.line(run_id)
          return note('Started. Wait for it with "bellwether runs wait ID".')
        }
        const runs: Schemas['FullRun'][] = []
        for (const { run_id, account_id } of started) {
          const run = await waitForRun(session, run_id, 'The scan')
          runs.push(run)
          if (json) continue
          showRunOutcome(out, run)
          const path = { id: account_id }
          const findings = await client.get('/v1/accounts/{id}/signals', { path, query: { present: true } })
          const found = new Set(run.jobs.filter(({ state }) => state === 'found').map(({ signal_id }) => signal_id))
          for (const finding of findings) if (found.has(finding.signal_id)) showFinding(out, finding)
        }
        if (json) out.json(runs)
      }),
    )
}
