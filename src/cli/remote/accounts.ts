import type { Schemas } from '@bellwether/client'
import { parseDomain, resolveAccountId, resolveAccountIds } from '@bellwether/client/names'
import { type Command, Option } from 'commander'
import { CliError, EXIT_CODES, exitCodeForRefusal } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'
import { type TerminalOutput, withStyle } from '../terminal/output.ts'
import { formatAgo } from './format-time.ts'
import { addListOptions, type ListOptions, pageSize, showList } from './list.ts'
import { resolveOwner, resolveOwnerFilter } from './owner.ts'
import {
  type CommandSession,
  collectOption,
  expandStdin,
  parseWholeNumber,
  remoteCommand,
  withSession,
} from './session.ts'
import { showFinding, showRunOutcome } from './show.ts'
import { ACCOUNT_TABLE } from './tables.ts'
import { waitForRun } from './wait.ts'

type Filters = {
  status?: 'suggested' | 'active' | 'rejected' | 'unqualified' | 'new'
  owner?: string
  tag?: string
  domain?: string
  industry?: string
  country?: string
  relationship?: string
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
    'accounts list --relationship customer,open_deal',
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
    .option('--relationship <kinds>', 'customer, open_deal, lost_deal, former_customer or none; several with commas')
    .option('--min-score <n>', 'minimum score', parseWholeNumber)
    .option('--search <text>', 'name, domain or description contains this text')
    .option('--hot', 'only hot accounts')
    .option('--run <id>', 'only accounts found by this discovery')
    .addOption(new Option('--sort <by>').choices(['score', 'last_signal_at', 'created_at']))
    .addOption(new Option('--order <order>').choices(['asc', 'desc']))
}

async function queryOf(
  { client }: CommandSession,
  { minScore, owner, run, status, tag, domain, industry, country, relationship, search, hot, sort, order }: Filters,
) {
  return {
    ...{ status, tag, domain, industry, country, relationship, search, hot, sort, order },
    min_score: minScore,
    run_id: run,
    owner_id: await resolveOwnerFilter(client, owner),
  }
}

function showAccountCommand(accounts: Command, io: TerminalIo): void {
  remoteCommand(accounts, 'show <account>', 'Show an account: its score, why now, and its findings with their proof', [
    'accounts show acme.com',
    'accounts show "Acme Rail" --json',
  ]).action(
    withSession(io, async ({ client, out, json }, given: string) => {
      const path = { id: await resolveAccountId(client, given) }
      const [account, score, findings, members] = await Promise.all([
        client.get('/v1/accounts/{id}', { path }),
        client.get('/v1/accounts/{id}/score', { path }),
        client.get('/v1/accounts/{id}/signals', { path, query: { present: true } }),
        client.get('/v1/members'),
      ])
      if (json) return out.json({ ...account, score_components: score.components, findings })
      const owner = members.find(({ id }) => id === account.owner_id)?.name ?? null
      showAccount(out, account, owner)
      for (const { name, points, because } of score.components)
        out.text(name === FIT ? because.replace(/^fits:/, 'matches your ideal customer:') : `${name}: ${because}`, {
          first: ['  ', withStyle('dim', `${points > 0 ? '+' : ''}${points}`.padStart(5)), '  '],
          indent: ' '.repeat(9),
        })
      if (account.why_now_md) {
        out.line()
        out.line(withStyle('bold', 'Why now'))
        out.text(stripMarkdown(account.why_now_md))
      }
      for (const finding of findings) showFinding(out, finding)
      if (findings.length === 0) out.line(account.last_scanned_at ? 'Nothing found yet.' : 'Not scanned yet.')
    }),
  )
}

/** The score component for the match with the ideal customer; every other component is a signal id. */
const FIT = 'icp_fit'

/** Removes Markdown syntax and link targets; the URLs follow with the proof. */
function stripMarkdown(markdown: string): string {
  return markdown.replaceAll('**', '').replaceAll(/\[([^\]]*)\]\((?:https?:)[^)\s]*\)/g, '$1')
}

function showAccount(out: TerminalOutput, account: Schemas['Account'], owner: string | null): void {
  out.line(withStyle('bold', account.name), account.is_hot ? withStyle('warm', '  hot') : '')
  out.pairs([
    ['id', account.id],
    ['domain', account.domain],
    ['status', account.status],
    ['industry', account.industry],
    ['employees', account.employees],
    ['location', [account.location, account.country].filter(Boolean).join(', ') || null],
    ['owner', owner],
    ['tags', account.tags.join(', ') || null],
    ['last scan', account.last_scanned_at && formatAgo(account.last_scanned_at)],
    ['score', account.score],
  ])
}

type AddOptions = { name?: string; tag?: string[]; owner?: string; activate?: boolean }

function addAccountsCommand(accounts: Command, io: TerminalIo): void {
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

type Change = Omit<Schemas['BulkAccounts'], 'ids'>
type Changed = { done: number; refused: Schemas['BulkDone']['results'] }

/** Maximum of accounts in one API request. */
const BATCH = 500

function changeAccountsCommands(accounts: Command, io: TerminalIo): void {
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
async function changeAccounts({ client }: CommandSession, ids: string[], change: Change): Promise<Changed> {
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
function reportRefusals({ err, io }: CommandSession, { done, refused }: Changed): void {
  for (const { id, message } of refused) err.line(`${id}: ${message}`)
  const [first] = refused
  if (first) io.setExitCode(done + refused.length === 1 ? exitCodeForRefusal(first.code) : EXIT_CODES.work_failed)
}

function scanAccountsCommand(accounts: Command, io: TerminalIo): void {
  remoteCommand(accounts, 'scan <account...>', 'Scan accounts now: website, job board, filings and news', [
    'accounts scan acme.com --wait',
    'accounts list --status active --ids | bellwether accounts scan -',
  ])
    .option('--wait', 'wait until it is done and show the findings')
    .action(
      withSession(io, async (session, given: string[], { wait }: { wait?: boolean }) => {
        const { client, out, json, note } = session
        const ids = await resolveAccountIds(client, await expandStdin(io, given))
        const started: (Schemas['ScanStarted'] & { account_id: string })[] = []
        for (const id of ids)
          started.push({ account_id: id, ...(await client.post('/v1/accounts/{id}/scan', { path: { id } })) })
        if (!wait) {
          if (json) return out.json(started)
          for (const { run_id } of started) out.line(run_id)
          return note('Started. Wait for it with "bellwether runs wait ID".')
        }
        const runs: Schemas['FullRun'][] = []
        for (const { run_id, account_id } of started) {
          const run = await waitForRun(session, run_id, 'The scan')
          runs.push(run)
          if (json) continue
          showRunOutcome(out, run)
          const path = { id: account_id }
          const findings = await client.get('/v1/accounts/{id}/signals', { path, query: { present: true } })
          const found = new Set(run.jobs.filter(({ state }) => state === 'found').map(({ signal_id }) => signal_id))
          for (const finding of findings) if (found.has(finding.signal_id)) showFinding(out, finding)
        }
        if (json) out.json(runs)
      }),
    )
}
