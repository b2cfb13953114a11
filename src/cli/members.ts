import { type Command, Option } from 'commander'
import { checkBody } from '../http/validation.ts'
import { deleteMember, updateMember } from '../resources/members/change.ts'
import { CreateMember, UpdateMember } from '../resources/members/schema.ts'
import { insertMember, listMembers, type MemberFields } from '../resources/members/store.ts'
import { chooseWorkspace, printRecords, withDatabase } from './context.ts'
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
        printRecords(await insertMember(db, workspaceId, { role, visibility, ...fields }), json)
      }),
    )

  command('update <id>', 'Change a member')
    .option('--name <name>', 'new name')
    .option('--email <email>', 'new email address')
    .addOption(role())
    .addOption(visibility())
    .action((id: string, { workspace, json, ...fields }: Common & Partial<MemberFields>) =>
      withServiceParts(async (context) => {
        printRecords(
          await updateMember(
            context,
            await chooseWorkspace(context.db, workspace),
            id,
            checkBody(UpdateMember, fields),
          ),
          json,
        )
      }),
    )

  command('remove <id>', 'Remove a member and their keys').action((id: string, { workspace, json }: Common) =>
    withServiceParts(async (context) => {
      await deleteMember(context, await chooseWorkspace(context.db, workspace), id)
      printRecords({ id, deleted: true }, json)
    }),
  )
}
