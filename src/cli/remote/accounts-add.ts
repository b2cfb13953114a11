import type { Schemas } from '@bellwether/client'
import { parseDomain } from '@bellwether/client/names'
import type { Command } from 'commander'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'
import { changeAccounts, reportRefusals } from './accounts-change.ts'
import { resolveOwner } from './owner.ts'
import { collectOption, expandStdin, remoteCommand, withSession } from './session.ts'

type AddOptions = { name?: string; tag?: string[]; owner?: string; activate?: boolean }

export function addAccountsCommand(accounts: Command, io: TerminalIo): void {
  remoteCommand(
    accounts,
    'add <domain...>',
    'Add accounts by domain, - for one per line from stdin; existing accounts stay unchanged',
    [
      'accounts add acme.com --name "Acme Rail" --tag rail --owner me --activate',
      'cat domains.txt | bellwether accounts add -',
    ],
  )
    .option('--name <name>', 'name of the account, for a single domain; the domain when absent')
    .option('--tag <tag>', 'a tag; repeatable', collectOption)
    .option('--owner <member>', 'me, an email, a name or an id')
    .option('--activate', 'also activate them, which uses one credit each')
    .action(
      withSession(io, async (session, given: string[], { name, tag, owner, activate }: AddOptions) => {
        const { client, out, json } = session
        const domains = (await expandStdin(io, given)).map(requireDomain)
        if (name && domains.length > 1)
          throw new CliError(EXIT_CODES.usage, '--name can only be used with a single domain.')
        const owner_id = owner === undefined ? undefined : await resolveOwner(client, owner)
        const created: Schemas['CreatedAccount'][] = []
        for (let at = 0; at < domains.length; at += BATCH) {
          const body = domains.slice(at, at + BATCH).map((domain) => ({
            name: name ?? domain,
            domain,
            ...(tag ? { tags: tag } : {}),
            ...(owner_id ? { owner_id } : {}),
          }))
          // Without `partial`, every item of the response is an account.
          created.push(...((await client.post('/v1/accounts', { body })) as Schemas['CreatedAccount'][]))
        }
        const waiting = created.filter(({ status }) => status !== 'active').map(({ id }) => id)
        const activated = activate ? await changeAccounts(session, waiting, { action: 'activate' }) : null
        const active = (id: string) => activated !== null && !activated.refused.some((one) => one.id === id)
        const shown = created.map((account) =>
          active(account.id) ? { ...account, status: 'active' as const } : account,
        )
        if (json) out.json(shown)
        else
          out.table<Schemas['CreatedAccount']>(
            [
              { title: 'DOMAIN', value: ({ domain }) => domain },
              { title: 'NAME', value: ({ name }) => name },
              { title: 'STATUS', value: ({ status }) => status },
              { title: 'ADDED', value: ({ created }) => (created ? 'yes' : 'existed') },
              { title: 'ID', value: ({ id }) => id, whole: true },
            ],
            shown,
          )
        if (activated) reportRefusals(session, activated)
      }),
    )
}

function requireDomain(word: string): string {
  const domain = parseDomain(word)
  if (domain) return domain
  throw new CliError(EXIT_CODES.usage, `${word} is not a domain such as acme.com.`)
}
