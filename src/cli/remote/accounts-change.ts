import type { Schemas } from '@bellwether/client'
import { resolveAccountIds } from '@bellwether/client/names'
import type { Command } from 'commander'
import { CliError, EXIT_CODES, exitCodeForRefusal } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'
import { resolveOwner } from './owner.ts'
import { type CommandSession, collectOption, expandStdin, remoteCommand, withSession } from './session.ts'

type Change = Omit<Schemas['BulkAccounts'], 'ids'>
type Changed = { done: number; refused: Schemas['BulkDone']['results'] }

/** Maximum of accounts in one API request. */
const BATCH = 500

export function changeAccountsCommands(accounts: Command, io: TerminalIo): void {
  remoteCommand(
    accounts,
    'activate <account...>',
    'Activate accounts, which starts research and monitoring; uses one credit each',
    [
      'accounts activate acme.com',
      'accounts list --status suggested --min-score 60 --ids | bellwether accounts activate -',
    ],
  )
    .option('--owner <member>', 'new owner: me, an email, a name or an id')
    .action(
      withSession(io, async (session, given: string[], { owner }: { owner?: string }) => {
        const owner_id = owner === undefined ? undefined : await resolveOwner(session.client, owner)
        await change(
          session,
          given,
          [{ action: 'activate', ...(owner_id === undefined ? {} : { owner_id }) }],
          'activated',
        )
      }),
    )

  remoteCommand(accounts, 'reject <account...>', 'Reject suggested accounts', ['accounts reject acme.com']).action(
    withSession(io, async (session, given: string[]) => change(session, given, [{ action: 'reject' }], 'rejected')),
  )

  remoteCommand(accounts, 'tag <account...>', 'Add tags to accounts or remove them', [
    'accounts tag acme.com --add rail --add q4 --remove new',
  ])
    .option('--add <tag>', 'a tag to add; repeatable', collectOption)
    .option('--remove <tag>', 'a tag to remove; repeatable', collectOption)
    .action(
      withSession(io, async (session, given: string[], { add, remove }: { add?: string[]; remove?: string[] }) => {
        if (!add && !remove) throw new CliError(EXIT_CODES.usage, 'Give at least one tag: --add TAG or --remove TAG.')
        const changes: Change[] = [
          ...(add ? [{ action: 'tag' as const, tags: add }] : []),
          ...(remove ? [{ action: 'untag' as const, tags: remove }] : []),
        ]
        await change(session, given, changes, 'changed')
      }),
    )

  remoteCommand(accounts, 'owner <account...>', 'Set the owner of accounts', [
    'accounts owner acme.com --to sam@team.example',
    'accounts owner acme.com --to none',
  ])
    .requiredOption('--to <member>', 'me, an email, a name, an id, or none')
    .action(
      withSession(io, async (session, given: string[], { to }: { to: string }) => {
        await change(
          session,
          given,
          [{ action: 'owner', owner_id: await resolveOwner(session.client, to) }],
          'assigned',
        )
      }),
    )
}

/** Applies changes sequentially to the same accounts; an account that rejects one change is left out of the next. */
async function change(session: CommandSession, given: string[], changes: Change[], word: string): Promise<void> {
  let ids = await resolveAccountIds(session.client, await expandStdin(session.io, given))
  const refused: Changed['refused'] = []
  for (const one of changes) {
    refused.push(...(await changeAccounts(session, ids, one)).refused)
    ids = ids.filter((id) => !refused.some((refusal) => refusal.id === id))
  }
  const changed = { done: ids.length, refused }
  if (session.json) session.out.json(changed)
  else session.out.line(`${changed.done} ${changed.done === 1 ? 'account' : 'accounts'} ${word}.`)
  reportRefusals(session, changed)
}

/** Applies one change to any number of accounts; a rejected account does not stop the others. */
export async function changeAccounts({ client }: CommandSession, ids: string[], change: Change): Promise<Changed> {
  const changed: Changed = { done: 0, refused: [] }
  for (let at = 0; at < ids.length; at += BATCH) {
    const { done, results } = await client.post('/v1/accounts/bulk', {
      body: { ...change, ids: ids.slice(at, at + BATCH) },
    })
    changed.done += done
    changed.refused.push(...results)
  }
  return changed
}

/** Prints rejected accounts and sets the exit code: that of the error for a single account, else `work_failed`. */
export function reportRefusals({ err, io }: CommandSession, { done, refused }: Changed): void {
  for (const { id, message } of refused) err.line(`${id}: ${message}`)
  const [first] = refused
  if (first) io.setExitCode(done + refused.length === 1 ? exitCodeForRefusal(first.code) : EXIT_CODES.work_failed)
}
