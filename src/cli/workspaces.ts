import type { Command } from 'commander'
import { checkBody } from '../http/validation.ts'
import { parseOwnDomain, setOwnDomain } from '../research/company-profile/refresh.ts'
import { CreateMember } from '../resources/members/schema.ts'
import { listWorkspaces } from '../resources/workspaces/store.ts'
import { createWorkspace } from '../setup/create-workspace.ts'
import { SetupError } from '../shared/errors.ts'
import { chooseWorkspace, printRecords, recorded, withDatabase } from './context.ts'

type Create = { domain?: string; adminName: string; adminEmail: string; json?: boolean }

export function workspaceCommands(program: Command): void {
  const workspaces = program.command('workspaces')

  workspaces
    .command('list')
    .description('List the workspaces')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ db }) => printRecords(await listWorkspaces(db), json)),
    )

  workspaces
    .command('create <name>')
    .description('Create a workspace with an admin and print the admin’s key once')
    .option('--domain <domain>', 'the domain of your own company')
    .requiredOption('--admin-name <name>', 'name of the first admin')
    .requiredOption('--admin-email <email>', 'email address of the first admin')
    .option('--json', 'print JSON')
    .action((name: string, { domain, adminName, adminEmail, json }: Create) =>
      withDatabase(async ({ db }) => {
        const admin = checkBody(CreateMember, { name: adminName, email: adminEmail })
        if (!name.trim()) throw new SetupError('A workspace needs a name.')
        const own = domain === undefined ? null : parseOwnDomain(domain)
        const created = await db.transaction().execute(async (db) => {
          const created = await createWorkspace(db, { name, domain: own, admin })
          const change = { action: 'createWorkspace', path: '/settings/workspace' }
          // In the same transaction, because there is no log before the workspace.
          return recorded(db, created.workspace.id, change, async () => created)
        })
        printRecords({ workspace_id: created.workspace.id, member_id: created.member.id, key: created.key }, json)
      }),
    )

  workspaces
    .command('set-domain <domain>')
    .description('Set the domain of your own company; a running service reads its website within a minute')
    .option('--workspace <id>', 'id of the workspace; optional when there is only one')
    .option('--json', 'print JSON')
    .action((text: string, { workspace, json }: { workspace?: string; json?: boolean }) =>
      withDatabase(async ({ db }) => {
        const workspaceId = await chooseWorkspace(db, workspace)
        const change = { action: 'setOwnDomain', path: '/company-profile' }
        const set = await recorded(db, workspaceId, change, async () => ({
          workspace_id: workspaceId,
          domain: await setOwnDomain(db, workspaceId, text),
        }))
        printRecords(set, json)
      }),
    )
}
