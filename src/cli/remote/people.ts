import { ApiError, type Schemas } from '@bellwether/client'
import { resolveAccountId, resolveAccountIds, resolvePersonId, resolvePersonIds } from '@bellwether/client/names'
import { type Command, Option } from 'commander'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'
import { withStyle } from '../terminal/output.ts'
import { formatCount, formatDay } from './format-time.ts'
import { addListOptions, type ListOptions, pageSize, showList } from './list.ts'
import { resolveOwnerFilter } from './owner.ts'
import {
  type CommandSession,
  collectOption,
  expandStdin,
  parseWholeNumber,
  remoteCommand,
  withSession,
} from './session.ts'
import { PEOPLE_TABLE } from './tables.ts'
import { waitWithProgress } from './wait.ts'

type Filters = {
  account?: string
  level?: NonNullable<Schemas['Person']['job_level']>
  country?: string
  hasEmail?: boolean
  owner?: string
  search?: string
  sort?: 'created_at' | 'full_name'
}

/** How an email address was verified. */
const VERIFIED_BY = {
  published: 'published by the company',
  smtp: 'accepted by its mail server',
  zerobounce: 'verified by ZeroBounce',
  unsaid: null,
}

export function peopleCommands(program: Command, io: TerminalIo): void {
  const people = program.command('people')
  findPeopleCommands(people, io)

  const list = remoteCommand(people, 'list', 'List the known people', [
    'people list --account acme.com --level VP',
    'people list --has-email --all --ids | bellwether push people --to crm -',
  ])
    .option('--account <account>', 'only at this account: id, domain or name')
    .addOption(new Option('--level <level>').choices(['C-Team', 'VP', 'Director', 'Manager', 'Staff']))
    .option('--country <code>', 'only in this country, such as DE')
    .option('--has-email', 'only with a known email address')
    .option('--owner <member>', 'me, an email, a name or an id')
    .option('--search <text>', 'name or title contains this text')
    .addOption(new Option('--sort <by>').choices(['created_at', 'full_name']))
  addListOptions(list).action(
    withSession(io, async (session, options: Filters & ListOptions) => {
      const { account, level, country, hasEmail, owner, search, sort } = options
      const { client } = session
      const query = {
        account_id: account === undefined ? undefined : await resolveAccountId(client, account),
        owner_id: await resolveOwnerFilter(client, owner),
        job_level: level,
        country_code: country,
        has_email: hasEmail,
        ...{ search, sort, per_page: pageSize(options) },
      }
      await showList(session, client.pages('/v1/people', { query }), options, { columns: PEOPLE_TABLE, what: 'people' })
    }),
  )

  remoteCommand(people, 'show <person>', 'Show a person, by id or exact name', ['people show "Ada Pike"']).action(
    withSession(io, async ({ client, out, json }, given: string) => {
      const person = await client.get('/v1/people/{id}', { path: { id: await resolvePersonId(client, given) } })
      if (json) return out.json(person)
      out.line(withStyle('bold', person.full_name), person.left_on ? `  left, as of ${person.left_on}` : '')
      out.pairs([
        ['id', person.id],
        ['title', person.title],
        ['account', person.account_name],
        ['level', person.job_level],
        ['location', person.location],
        ['email', person.email ?? person.email_reason ?? 'not looked up yet (people reveal)'],
        ['email verified', person.email ? VERIFIED_BY[person.email_source ?? 'unsaid'] : undefined],
        ['phone', person.phone ?? person.phone_reason ?? 'not looked up yet (people reveal --phone)'],
        ['network', person.network_url],
        ['found at', person.found_url],
        ['known since', formatDay(person.created_at)],
      ])
    }),
  )

  remoteCommand(people, 'reveal <person...>', 'Look up the email address of people, - for ids from stdin', [
    'people reveal "Ada Pike"',
    'people reveal "Ada Pike" --phone',
  ])
    .option('--phone', 'the phone number instead')
    .action(
      withSession(io, async ({ client, out, json }, given: string[], { phone }: { phone?: boolean }) => {
        const results: { id: string; value: string | null; reason: string | null; response: unknown }[] = []
        for (const id of await resolvePersonIds(client, await expandStdin(io, given))) {
          const path = { id }
          if (phone) {
            const response = await client.post('/v1/people/{id}/phone', { path })
            results.push({ id, value: response.phone, reason: response.reason, response })
          } else {
            const response = await client.post('/v1/people/{id}/email', { path })
            results.push({ id, value: response.email, reason: response.reason, response })
          }
        }
        const [first] = results
        if (json) out.json(results.map(({ response }) => response))
        else if (results.length > 1)
          out.table<(typeof results)[number]>(
            [
              { title: 'ID', value: ({ id }) => id, whole: true },
              { title: phone ? 'PHONE' : 'EMAIL', value: ({ value }) => value, whole: true },
              { title: 'WHY NOT', value: ({ reason }) => reason },
            ],
            results,
          )
        else if (first?.value) out.line(first.value)
        // On stderr, so that a script that captures stdout gets an address or nothing.
        if (results.length > 0 && results.every(({ value }) => value === null))
          throw new CliError(EXIT_CODES.not_found, first?.reason ?? 'None was found.')
      }),
    )
}

type FindOptions = { account?: string[]; maxAccounts?: number }

/** Time between two progress requests. */
const POLL_MS = 1_000

function findPeopleCommands(people: Command, io: TerminalIo): void {
  remoteCommand(people, 'find <request>', 'Find people by a request in plain English; waits for the result', [
    'people find "VP of Sales, or else head of revenue" --account acme.com',
    'people find "CTO in Berlin" --max-accounts 20 --json',
  ])
    .option('--account <account>', 'account to search: id, domain or name; repeatable', collectOption)
    .option(
      '--max-accounts <n>',
      'maximum number of accounts, highest score first, when none is given',
      parseWholeNumber,
    )
    .action(
      withSession(io, async (session, query: string, { account, maxAccounts }: FindOptions) => {
        const { client, out, json, note } = session
        const body = {
          query,
          search_id: crypto.randomUUID(),
          ...(account ? { account_ids: await resolveAccountIds(client, account) } : {}),
          ...(maxAccounts === undefined ? {} : { max_accounts: maxAccounts }),
        }
        const found = await findWithProgress(session, body)
        if (json) return out.json(found)
        if (found.contacts.length > 0) out.table(PEOPLE_TABLE, found.contacts)
        if (found.message) note(found.message)
        if (found.notice) note(found.notice)
        for (const { message } of found.problems) note(message)
        note(
          `${found.found} found at ${formatCount(found.accountsSearched, 'account')}${found.complete ? '' : '; not all were searched'}.`,
        )
      }),
    )

  remoteCommand(people, 'search <id>', 'Show a search that you stopped waiting for', [
    'people search 01890a5d-ac96-774b-bcce-b302099a8057',
  ]).action(
    withSession(io, async ({ client, out, json, note }, id: string) => {
      const search = await client.get('/v1/people/searches/{id}', { path: { id } })
      if (json) return out.json(search)
      if (search.contacts.length > 0) out.table(PEOPLE_TABLE, search.contacts)
      for (const { message } of search.problems) note(message)
      note(
        `${search.state}: ${search.accounts_done} of ${search.accounts} accounts searched, ${search.contacts.length} found.`,
      )
    }),
  )
}

/** Runs the search. The request returns at the end, so progress is polled in parallel. */
function findWithProgress(
  session: CommandSession,
  body: Schemas['FindPeople'] & { search_id: string },
): Promise<Schemas['FoundPeople']> {
  const { client } = session
  const path = { id: body.search_id }
  return waitWithProgress(
    session,
    { what: 'The search', resumeCommand: `people search ${path.id}` },
    async (signal, show) => {
      const done = Promise.withResolvers<void>()
      const found = client.post('/v1/people/find', { body, signal }).finally(done.resolve)
      // Awaited below; avoids an unhandled rejection if polling fails first.
      found.catch(() => {})
      show(null, 'searching')
      const ended = done.promise.then(() => true)
      while (!(await Promise.race([ended, pause()]))) {
        const search = await client.get('/v1/people/searches/{id}', { path, signal }).catch(ignoreNotFound)
        if (search)
          show(
            search.accounts_done / Math.max(1, search.accounts),
            `${search.accounts_done} of ${search.accounts} accounts searched, ${search.contacts.length} found`,
          )
      }
      return found
    },
  )
}

/** The search is stored only after the request has been parsed. */
function ignoreNotFound(error: unknown): null {
  if (ApiError.is(error, 'not_found')) return null
  throw error
}

function pause(): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), POLL_MS).unref())
}
