import { ApiError, type Schemas } from '@bellwether/client'
import { resolveAccountIds } from '@bellwether/client/names'
import type { Command } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { formatCount } from './format-time.ts'
import { type CommandSession, collectOption, parseWholeNumber, remoteCommand, withSession } from './session.ts'
import { PEOPLE_TABLE } from './tables.ts'
import { waitWithProgress } from './wait.ts'

type FindOptions = { account?: string[]; maxAccounts?: number }

/** Time between two progress requests. */
const POLL_MS = 1_000

export function findPeopleCommands(people: Command, io: TerminalIo): void {
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
