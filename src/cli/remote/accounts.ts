import { type Command, Option } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { addAccountsCommand } from './accounts-add.ts'
import { changeAccountsCommands } from './accounts-change.ts'
import { scanAccountsCommand } from './accounts-scan.ts'
import { showAccountCommand } from './accounts-show.ts'
import { addListOptions, type ListOptions, pageSize, showList } from './list.ts'
import { resolveOwnerFilter } from './owner.ts'
import { type CommandSession, parseWholeNumber, remoteCommand, withSession } from './session.ts'
import { ACCOUNT_TABLE } from './tables.ts'

type Filters = {
  status?: 'suggested' | 'active' | 'rejected' | 'unqualified' | 'new'
  owner?: string
  tag?: string
  domain?: string
  industry?: string
  country?: string
  minScore?: number
  search?: string
  hot?: boolean
  run?: string
  sort?: 'score' | 'last_signal_at' | 'created_at'
  order?: 'asc' | 'desc'
}

export function accountCommands(program: Command, io: TerminalIo): void {
  const accounts = program.command('accounts')

  const list = remoteCommand(accounts, 'list', 'List accounts, highest score first', [
    'accounts list --hot --owner me',
    'accounts list --status suggested --tag rail --all --json',
  ])
  addListOptions(filterOptions(list)).action(
    withSession(io, async (session, options: Filters & ListOptions) => {
      const query = { ...(await queryOf(session, options)), per_page: pageSize(options) }
      await showList(session, session.client.pages('/v1/accounts', { query }), options, {
        columns: ACCOUNT_TABLE,
        what: 'accounts',
      })
    }),
  )
  showAccountCommand(accounts, io)
  addAccountsCommand(accounts, io)
  changeAccountsCommands(accounts, io)
  scanAccountsCommand(accounts, io)

  const exported = remoteCommand(accounts, 'export', 'Export all matching accounts as CSV', [
    'accounts export --status active > accounts.csv',
  ])
  filterOptions(exported).action(
    withSession(io, async (session, options: Filters) => {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(await queryOf(session, options)))
        if (value !== undefined) query.set(name, String(value))
      const response = await session.client.fetch(`/v1/accounts/export?${query}`)
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) session.out.chunk(decoder.decode(chunk, { stream: true }))
    }),
  )
}

/** The filters of GET /v1/accounts. */
function filterOptions(command: Command): Command {
  return command
    .addOption(new Option('--status <status>').choices(['suggested', 'active', 'rejected', 'unqualified', 'new']))
    .option('--owner <member>', 'me, an email, a name or an id')
    .option('--tag <tag>', 'only with this tag')
    .option('--domain <text>', 'domain contains this text')
    .option('--industry <text>', 'industry contains this text')
    .option('--country <country>', 'only in this country')
    .option('--min-score <n>', 'minimum score', parseWholeNumber)
    .option('--search <text>', 'name, domain or description contains this text')
    .option('--hot', 'only hot accounts')
    .option('--run <id>', 'only accounts found by this discovery')
    .addOption(new Option('--sort <by>').choices(['score', 'last_signal_at', 'created_at']))
    .addOption(new Option('--order <order>').choices(['asc', 'desc']))
}

async function queryOf(
  { client }: CommandSession,
  { minScore, owner, run, status, tag, domain, industry, country, search, hot, sort, order }: Filters,
) {
  return {
    ...{ status, tag, domain, industry, country, search, hot, sort, order },
    min_score: minScore,
    run_id: run,
    owner_id: await resolveOwnerFilter(client, owner),
  }
}
