import type { Command } from 'commander'
import { forgetMember } from '../audit/store.ts'
import { verifyChains } from '../audit/verify.ts'
import { findActorName } from '../resources/members/store.ts'
import { SetupError } from '../shared/errors.ts'
import { isId } from '../shared/ids.ts'
import { chooseWorkspace, printRecords, recorded, withDatabase } from './context.ts'

type Common = { workspace?: string; json?: boolean }

const MARK = /^\d+:[0-9a-f]{64}$/

export function auditCommands(program: Command): void {
  const audit = program.command('audit')

  audit
    .command('verify')
    .description('Check that no entry of the audit log was changed or removed')
    .option('--workspace <id>', 'id of the workspace; all when absent')
    .option('--expect <seq:hash>', 'an entry that an earlier verification printed as the last one')
    .option('--json', 'print JSON')
    .action(({ workspace, expect, json }: Common & { expect?: string }) =>
      withDatabase(async ({ db }) => {
        if (expect !== undefined && !MARK.test(expect))
          throw new SetupError('--expect must be the last entry of an earlier verification, such as 1042:9f86…')
        // The expected entry is one of a certain workspace.
        const one = workspace !== undefined || expect !== undefined ? await chooseWorkspace(db, workspace) : null
        const reports = await verifyChains(db, one, expect === undefined ? [] : [expect])
        printRecords(
          reports.map(({ problem, ...report }) => ({ ...report, result: problem ?? 'intact' })),
          json,
        )
        if (reports.some(({ problem }) => problem !== null)) process.exitCode = 1
      }),
    )

  audit
    .command('forget <member>')
    .description('Delete names and addresses of a removed member from the audit log; the entries stay')
    .option('--workspace <id>', 'id of the workspace; optional when there is only one')
    .option('--json', 'print JSON')
    .action((member: string, { workspace, json }: Common) =>
      withDatabase(async ({ db }) => {
        const workspaceId = await chooseWorkspace(db, workspace)
        if (!isId(member)) throw new SetupError(`${member} is not the id of a member.`)
        if ((await findActorName(db, workspaceId, member)) !== null) throw new SetupError('Remove the member first.')
        const change = { action: 'forgetMember', path: '/members', id: member }
        const entries = await recorded(db, workspaceId, change, async () => ({
          entries: await forgetMember(db, workspaceId, member),
        }))
        printRecords(entries, json)
      }),
    )
}
