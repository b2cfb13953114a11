import { type Command, Option } from 'commander'
import { deleted } from '../http/schema.ts'
import { checkBody } from '../http/validation.ts'
import { deleteMember, updateMember } from '../resources/members/change.ts'
import { CreateMember, UpdateMember } from '../resources/members/schema.ts'
import { insertMember, listMembers, type MemberFields } from '../resources/members/store.ts'
import { notFound } from '../shared/errors.ts'
import { isId } from '../shared/ids.ts'
import { chooseWorkspace, printRecords, recorded, withDatabase } from './context.ts'
import { withServiceParts } from './service-parts.ts'

type Common = { workspace?: string; json?: boolean }

export function memberCommands(program: Command): void {
  const members = program.command('members')
  const role = () => new Option('--role <role>', 'rights of the member').choices(['admin', 'member'])
  const visibility = () => new Option('--visibility <which>', 'which people the member sees').choices(['all', 'scoped'])
  const command = (usage: string, description: string) =>
    members
      .command(usage)
      .description(description)
      .option('--workspace <id>', 'id of the workspace; optional when there is only one')
      .option('--json', 'print JSON')

  command('list', 'List the members').action(({ workspace, json }: Common) =>
    withDatabase(async ({ db }) => printRecords(await listMembers(db, await chooseWorkspace(db, workspace)), json)),
  )

  command('add <name> <email>', 'Add a member')
    .addOption(role().default('member'))
    .addOption(visibility().default('all'))
    .action((name: string, email: string, { workspace, json, role, visibility }: Common & MemberFields) =>
      withDatabase(async ({ db }) => {
        const workspaceId = await chooseWorkspace(db, workspace)
        const fields = checkBody(CreateMember, { name, email, role, visibility })
        const added = await recorded(db, workspaceId, { action: 'createMember', path: '/members' }, () =>
          insertMember(db, workspaceId, { role, visibility, ...fields }),
        )
        printRecords(added, json)
      }),
    )

  command('update <id>', 'Change a member')
    .option('--name <name>', 'new name')
    .option('--email <email>', 'new email address')
    .addOption(role())
    .addOption(visibility())
    .action((id: string, { workspace, json, ...fields }: Common & Partial<MemberFields>) =>
      withServiceParts(async (context) => {
        const workspaceId = await chooseWorkspace(context.db, workspace)
        const wanted = checkBody(UpdateMember, fields)
        const change = { action: 'updateMember', path: '/members', id: requireId(id) }
        printRecords(
          await recorded(context.db, workspaceId, change, () => updateMember(context, workspaceId, id, wanted)),
          json,
        )
      }),
    )

  command('remove <id>', 'Remove a member and their keys').action((id: string, { workspace, json }: Common) =>
    withServiceParts(async (context) => {
      const workspaceId = await chooseWorkspace(context.db, workspace)
      const change = { action: 'deleteMember', path: '/members', id: requireId(id) }
      const removed = await recorded(context.db, workspaceId, change, async () => {
        await deleteMember(context, workspaceId, id)
        return deleted(id)
      })
      printRecords(removed, json)
    }),
  )
}

/** Throws not_found for a text that is no id, as for an unknown one. */
function requireId(id: string): string {
  if (!isId(id)) throw notFound('member')
  return id
}
