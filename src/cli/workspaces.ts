import type { Command } from 'commander'
import { createWorkspace } from '../resources/workspaces/create.ts'
import { listWorkspaces } from '../resources/workspaces/store.ts'
import { print, withDatabase } from './context.ts'

type Create = { domain?: string; adminName: string; adminEmail: string; json?: boolean }

export function workspaceCommands(program: Command): void {
  const workspaces = program.command('workspaces').description('Workspaces of this installation')

  workspaces
    .command('list')
    .description('List the workspaces')
    .option('--json', 'answer as JSON')
    .action(({ json }: { json?: boolean }) => withDatabase(async ({ db }) => print(await listWorkspaces(db), json)))

  workspaces
    .command('create <name>')
    .description('Create a workspace with an admin and print the admin’s key once')
    .option('--domain <domain>', 'the domain of the company itself')
    .requiredOption('--admin-name <name>', 'name of the first admin')
    .requiredOption('--admin-email <email>', 'email address of the first admin')
    .option('--json', 'answer as JSON')
    .action((name: string, { domain, adminName, adminEmail, json }: Create) =>
      withDatabase(async ({ db }) => {
        const admin = { name: adminName, email: adminEmail }
        const created = await db
          .transaction()
          .execute((db) => createWorkspace(db, { name, domain: domain ?? null, admin }))
        print({ workspace_id: created.workspace.id, member_id: created.member.id, key: created.key }, json)
      }),
    )
}
