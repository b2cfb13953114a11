import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { listMembers } from '../resources/members/store.ts'
import { createSignInLink } from '../resources/sessions/link.ts'
import { notFound, SetupError } from '../shared/errors.ts'
import { chooseWorkspace, printRecords, recorded, withDatabase } from './context.ts'
import { sanitizeLine } from './terminal/sanitize.ts'

type Options = { workspace?: string; member?: string; json?: boolean }

export function signInCommand(program: Command): void {
  program
    .command('sign-in')
    .option('--member <id or email>', 'the member to sign in; the first admin when absent')
    .option('--workspace <id>', 'id of the workspace; optional when there is only one')
    .option('--json', 'print JSON')
    .action(({ workspace, member, json }: Options) =>
      withDatabase(async ({ db, config }) => {
        const address = addressOf(config)
        const workspaceId = await chooseWorkspace(db, workspace)
        const wanted = member?.toLowerCase()
        const found = (await listMembers(db, workspaceId)).find(({ id, email, role }) =>
          wanted === undefined ? role === 'admin' : id === wanted || email.toLowerCase() === wanted,
        )
        if (!found) throw notFound('member')
        const change = { action: 'createSignInLink', path: '/members', id: found.id }
        const link = await recorded(db, workspaceId, change, () =>
          createSignInLink({ db }, workspaceId, address, { member_id: found.id }),
        )
        if (json) return printRecords(link, json)
        process.stdout.write(`${link.url}\n`)
        // On stderr, so that stdout contains only the link.
        process.stderr.write(
          `The link signs in ${sanitizeLine(found.name)} (${found.email}) once, within 15 minutes.\n`,
        )
      }),
    )
}

/** The address of the service, from the configuration: the command does not query it. */
function addressOf({ PUBLIC_URL, HOST, PORT }: Config): string {
  if (PUBLIC_URL) return PUBLIC_URL
  if (PORT === 0) throw new SetupError('Set PUBLIC_URL, or PORT to the port of the service: the link needs an address.')
  // These mean every address of the machine and cannot be used in a link.
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}
