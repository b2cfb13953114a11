import { type Command, Option } from 'commander'
import { deleted } from '../http/schema.ts'
import { checkBody } from '../http/validation.ts'
import { issueKey } from '../resources/api-keys/create.ts'
import { CreateApiKey } from '../resources/api-keys/schema.ts'
import { listKeys, revokeKey } from '../resources/api-keys/store.ts'
import { listMembers } from '../resources/members/store.ts'
import { notFound, SetupError } from '../shared/errors.ts'
import { isId } from '../shared/ids.ts'
import type { KeyScope } from '../shared/member.ts'
import { chooseWorkspace, printRecords, recorded, withDatabase } from './context.ts'

type Common = { workspace?: string; json?: boolean }
type Create = Common & { member?: string; scope?: KeyScope; ip?: string[]; expires?: string }

export function keyCommands(program: Command): void {
  const keys = program.command('keys')
  const command = (usage: string, description: string) =>
    keys
      .command(usage)
      .description(description)
      .option('--workspace <id>', 'id of the workspace; optional when there is only one')
      .option('--json', 'print JSON')

  command('list', 'List the active keys').action(({ workspace, json }: Common) =>
    withDatabase(async ({ db }) => printRecords(await listKeys(db, await chooseWorkspace(db, workspace)), json)),
  )

  command('create <name>', 'Create a key and print it once')
    .option('--member <id>', 'id of the member or service account of the key; the first admin when absent')
    .addOption(new Option('--scope <scope>', 'what the key may do').choices(['read', 'work', 'admin']).default('admin'))
    .option('--ip <network...>', 'addresses and networks that the key works from; any when absent')
    .option('--expires <date>', 'expiry date, such as 2027-01-31')
    .action((name: string, { workspace, json, member, scope, ip, expires }: Create) =>
      withDatabase(async ({ db, now }) => {
        const workspaceId = await chooseWorkspace(db, workspace)
        const admin = (await listMembers(db, workspaceId)).find(({ role }) => role === 'admin')
        const wanted = {
          member_id: member ?? admin?.id ?? '',
          name: checkBody(CreateApiKey, { name }).name,
          scope,
          allowed_ips: ip ?? null,
          expires_at: expires === undefined ? null : readDate(expires),
        }
        const created = await recorded(db, workspaceId, { action: 'createApiKey', path: '/api-keys' }, () =>
          issueKey({ db, now }, workspaceId, wanted),
        )
        printRecords(json ? created : { id: created.id, name: created.name, key: created.key }, json)
      }),
    )

  command('revoke <id>', 'Revoke a key').action((id: string, { workspace, json }: Common) =>
    withDatabase(async ({ db }) => {
      const workspaceId = await chooseWorkspace(db, workspace)
      if (!isId(id)) throw notFound('API key')
      const revoked = await recorded(db, workspaceId, { action: 'revokeApiKey', path: '/api-keys', id }, async () => {
        if (!(await revokeKey(db, workspaceId, id))) throw notFound('API key')
        return deleted(id)
      })
      printRecords(revoked, json)
    }),
  )
}

/** Parses a date; issueKey checks that it is in the future. */
function readDate(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new SetupError(`--expires ${text} must be a date such as 2027-01-31.`)
  return new Date(time).toISOString()
}
