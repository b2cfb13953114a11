import type { Schemas } from '@bellwether/client'
import type { Command } from 'commander'
import { CliError, EXIT, exitCodeOfRefusal } from '../terminal/exit.ts'
import type { Io } from '../terminal/io.ts'
import { accountIds, memberId } from './named.ts'
import { connected, remoteCommand, type Session, several, withStdin } from './session.ts'

type Change = Omit<Schemas['BulkAccounts'], 'ids'>
type Changed = { done: number; refused: Schemas['BulkDone']['results'] }

/** The most that the API takes at once. */
const BATCH = 500

export function changeCommands(accounts: Command, io: Io): void {
  remoteCommand(
    accounts,
    'activate <account...>',
    'Activate accounts: they are researched and watched; takes a credit each',
    [
      'accounts activate acme.com',
      'accounts list --status suggested --min-score 60 --ids | bellwether accounts activate -',
    ],
  )
    .option('--owner <member>', 'give them to: me, an email, a name or an id')
    .action(
      connected(io, async (session, given: string[], { owner }: { owner?: string }) => {
        const owner_id = owner === undefined ? undefined : await memberId(session.client, owner)
        await change(
          session,
          given,
          [{ action: 'activate', ...(owner_id === undefined ? {} : { owner_id }) }],
          'activated',
        )
      }),
    )

  remoteCommand(accounts, 'reject <account...>', 'Reject accounts that were suggested', [
    'accounts reject acme.com',
  ]).action(
    connected(io, async (session, given: string[]) => change(session, given, [{ action: 'reject' }], 'rejected')),
  )

  remoteCommand(accounts, 'tag <account...>', 'Add tags to accounts, or take them away', [
    'accounts tag acme.com --add rail --add q4 --remove new',
  ])
    .option('--add <tag>', 'a tag to add; may be given again', several)
    .option('--remove <tag>', 'a tag to take away; may be given again', several)
    .action(
      connected(io, async (session, given: string[], { add, remove }: { add?: string[]; remove?: string[] }) => {
        if (!add && !remove) throw new CliError(EXIT.usage, 'Say which: --add TAG, --remove TAG.')
        const asked: Change[] = [
          ...(add ? [{ action: 'tag' as const, tags: add }] : []),
          ...(remove ? [{ action: 'untag' as const, tags: remove }] : []),
        ]
        await change(session, given, asked, 'changed')
      }),
    )

  remoteCommand(accounts, 'owner <account...>', 'Give accounts to a member', [
    'accounts owner acme.com --to sam@team.example',
    'accounts owner acme.com --to none',
  ])
    .requiredOption('--to <member>', 'me, an email, a name, an id, or none')
    .action(
      connected(io, async (session, given: string[], { to }: { to: string }) => {
        await change(session, given, [{ action: 'owner', owner_id: await memberId(session.client, to) }], 'given')
      }),
    )
}

/** Does one thing after the other with the same accounts; one that was refused the first is not asked for the next. */
async function change(session: Session, given: string[], asked: Change[], word: string): Promise<void> {
  let ids = await accountIds(session.client, await withStdin(session.io, given))
  const refused: Changed['refused'] = []
  for (const one of asked) {
    refused.push(...(await changeMany(session, ids, one)).refused)
    ids = ids.filter((id) => !refused.some((refusal) => refusal.id === id))
  }
  const changed = { done: ids.length, refused }
  if (session.json) session.out.json(changed)
  else session.out.line(`${changed.done} ${changed.done === 1 ? 'account' : 'accounts'} ${word}.`)
  endWith(session, changed)
}

/** Does one thing with any number of accounts; what is refused stops no other. */
export async function changeMany({ client }: Session, ids: string[], asked: Change): Promise<Changed> {
  const changed: Changed = { done: 0, refused: [] }
  for (let at = 0; at < ids.length; at += BATCH) {
    const { done, results } = await client.post('/v1/accounts/bulk', {
      body: { ...asked, ids: ids.slice(at, at + BATCH) },
    })
    changed.done += done
    changed.refused.push(...results)
  }
  return changed
}

/** Names what was refused. Of one account it is the refusal; of several it is work that failed in part. */
export function endWith({ err, io }: Session, { done, refused }: Changed): void {
  for (const { id, message } of refused) err.line(`${id}: ${message}`)
  const [first] = refused
  if (first) io.setExitCode(done + refused.length === 1 ? exitCodeOfRefusal(first.code) : EXIT.work_failed)
}
