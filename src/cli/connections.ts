import { type Command, Option } from 'commander'
import { checkBody } from '../http/validation.ts'
import { connectWithToken, disconnectProvider } from '../resources/connections/connect.ts'
import {
  ADDRESSES_TEXT,
  type ConnectionProvider,
  PROVIDERS_TEXT,
  TOKENS_TEXT,
} from '../resources/connections/provider-schema.ts'
import { ConnectWithToken } from '../resources/connections/schema.ts'
import { listConnections } from '../resources/connections/store.ts'
import { chooseWorkspace, printRecords, recorded, withDatabase } from './context.ts'
import { withServiceParts } from './service-parts.ts'

type Common = { workspace?: string; json?: boolean }

export function connectionCommands(program: Command): void {
  const command = (usage: string, description: string) =>
    program
      .command(usage)
      .description(description)
      .option('--workspace <id>', 'id of the workspace; optional when there is only one')
      .option('--json', 'print JSON')

  command('connect <provider>', `Connect ${PROVIDERS_TEXT}`)
    // A token in the environment appears neither in the process list nor in the shell history.
    .addOption(new Option('--token <token>', TOKENS_TEXT).env('BELLWETHER_CONNECT_TOKEN').makeOptionMandatory())
    .option('--instance-url <url>', ADDRESSES_TEXT)
    .action(
      (provider: string, { workspace, json, token, instanceUrl }: Common & { token: string; instanceUrl?: string }) =>
        withServiceParts(async (context) => {
          const workspaceId = await chooseWorkspace(context.db, workspace)
          const given = checkBody(ConnectWithToken, { provider, token, instance_url: instanceUrl ?? null })
          const change = { action: 'connect', path: '/connections', id: given.provider }
          const { account, connected_at } = await recorded(context.db, workspaceId, change, () =>
            connectWithToken(context, workspaceId, given.provider, given),
          )
          printRecords({ provider, account, connected_at }, json)
        }),
    )

  command('disconnect <provider>', `Disconnect ${PROVIDERS_TEXT}`).action(
    (provider: string, { workspace, json }: Common) =>
      withServiceParts(async (context) => {
        const workspaceId = await chooseWorkspace(context.db, workspace)
        const change = { action: 'disconnect', path: '/connections', id: provider }
        printRecords(
          await recorded(context.db, workspaceId, change, () =>
            disconnectProvider(context, workspaceId, provider as ConnectionProvider),
          ),
          json,
        )
      }),
  )

  command('connections', 'List the connections').action(({ workspace, json }: Common) =>
    withDatabase(async ({ db }) => {
      const all = await listConnections(db, await chooseWorkspace(db, workspace))
      printRecords(
        all.map(({ expires_at: _, ...shown }) => shown),
        json,
      )
    }),
  )
}
