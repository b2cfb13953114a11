import type { Bellwether, Schemas } from '@bellwether/client'
import { resolveAccountId } from '@bellwether/client/names'
import { type Command, Option } from 'commander'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'
import type { TableColumn } from '../terminal/output.ts'
import { addListOptions, type ListOptions, pageSize, showList } from './list.ts'
import { type CommandSession, remoteCommand, withSession } from './session.ts'

type Item = Schemas['WorkItem']
type View = 'queue' | 'mine' | 'unowned' | 'all' | 'suggested'
type State = 'open' | 'snoozed' | 'done'
type Outcome = 'contacted' | 'not_relevant' | 'wrong'

const COLUMNS: TableColumn<Item>[] = [
  { title: 'NOW', value: ({ act_now }) => act_now, right: true },
  { title: 'ACCOUNT', value: ({ account }) => account.name },
  { title: 'WHY', value: ({ events }) => events[0]?.headline ?? '' },
  { title: 'CONTACT', value: ({ person, missing }) => person?.full_name ?? missing },
  { title: 'EMAIL', value: ({ person }) => person?.email ?? null, whole: true },
  { title: 'ID', value: ({ id }) => id, whole: true, extra: true },
]

export function workItemCommands(program: Command, io: TerminalIo): void {
  const today = program.command('today')

  const list = remoteCommand(today, 'list', 'List whom to contact, the most urgent first', [
    'today list',
    'today list --view all --state snoozed',
  ])
    .addOption(
      new Option('--view <view>', 'queue: your accounts, then accounts without an owner')
        .choices(['queue', 'mine', 'unowned', 'all', 'suggested'])
        .default('queue'),
    )
    .addOption(new Option('--state <state>').choices(['open', 'snoozed', 'done']).default('open'))
  addListOptions(list).action(
    withSession(io, async (session, options: ListOptions & { view: View; state: State }) => {
      const query = { view: options.view, state: options.state, per_page: pageSize(options) }
      const what = options.state === 'open' ? 'accounts to contact' : `${options.state} work items`
      await showList(session, session.client.pages('/v1/work-items', { query }), options, { columns: COLUMNS, what })
    }),
  )

  remoteCommand(today, 'done <account>', 'Mark the work item of an account as done', [
    'today done northwind.example',
    'today done northwind.example --outcome not_relevant --note "Just signed with a competitor"',
  ])
    .addOption(
      new Option('--outcome <outcome>', 'wrong also hides the finding')
        .choices(['contacted', 'not_relevant', 'wrong'])
        .default('contacted'),
    )
    .option('--note <text>', 'a note for the timeline of the account')
    .action(
      withSession(io, async (session, account: string, { outcome, note }: { outcome: Outcome; note?: string }) => {
        const { id } = await findItem(session.client, account, ['open', 'snoozed'])
        const body = { outcome, note: note ?? null }
        show(session, await session.client.post('/v1/work-items/{id}/done', { path: { id }, body }))
      }),
    )

  remoteCommand(today, 'snooze <account>', 'Hide the work item of an account until a day', [
    'today snooze northwind.example --until 2026-12-01',
  ])
    .requiredOption('--until <day>', 'a day such as 2026-12-01')
    .action(
      withSession(io, async (session, account: string, { until }: { until: string }) => {
        const { id } = await findItem(session.client, account, ['open', 'snoozed'])
        show(session, await session.client.post('/v1/work-items/{id}/snooze', { path: { id }, body: { until } }))
      }),
    )

  remoteCommand(today, 'reopen <account>', 'Open the last done or snoozed work item of an account again', [
    'today reopen northwind.example',
  ]).action(
    withSession(io, async (session, account: string) => {
      const { id } = await findItem(session.client, account, ['snoozed', 'done'])
      show(session, await session.client.post('/v1/work-items/{id}/reopen', { path: { id } }))
    }),
  )
}

/** The first work item of an account, given by id, domain or name, in one of the states. */
async function findItem(client: Bellwether, account: string, states: State[]): Promise<Item> {
  const account_id = await resolveAccountId(client, account)
  for (const state of states)
    for (const view of ['all', 'suggested'] as const) {
      const { data } = await client.get('/v1/work-items', { query: { account_id, view, state, per_page: 1 } })
      if (data[0]) return data[0]
    }
  throw new CliError(EXIT_CODES.not_found, `${account} has no ${states.join(' or ')} work item.`)
}

function show({ out, json }: CommandSession, item: Item): void {
  if (json) out.json(item)
  else out.line(`${item.account.name}: ${describe(item)}.`)
}

function describe({ state, outcome, snoozed_until, events }: Item): string {
  if (state === 'done') return `done (${outcome?.replace('_', ' ')})`
  return state === 'snoozed' ? `snoozed until ${snoozed_until}` : `open, ${events[0]?.headline ?? 'without findings'}`
}
