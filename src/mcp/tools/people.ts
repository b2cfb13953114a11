import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Bellwether, type Schemas } from '@bellwether/client'
import { resolveAccountIds, resolvePersonId } from '@bellwether/client/names'
import { Type } from 'typebox'
import { Nullable, OneOf } from '../../http/schema.ts'
import { newId } from '../../shared/ids.ts'
import { formatPerson, PersonRecord, toPersonRecord } from '../records/people.ts'
import { isTransient } from '../shared/errors.ts'
import { LOOKUP, limitNames } from '../shared/names.ts'
import { ADDITIVE, ClosedObject, defineTool, ToolArguments, type ToolContext } from '../shared/tool.ts'
import { blockQuote, quoteName, singleLine, UNTRUSTED_NOTICE } from '../shared/untrusted-text.ts'
import { waitSecondsArgument } from '../shared/wait.ts'

const POLL_MS = 1_000
/** A search is stored within milliseconds of its start. */
const STORED_POLL_MS = 100
const MAX_STORED_POLLS = 50

export const findPeopleTool = defineTool({
  name: 'find_people',
  title: 'Find people',
  description:
    'Finds people at active accounts by a request in plain English ("VP of Sales, otherwise the head of revenue"), the ideal role first, each with a verified work email or the reason why there is none. The people found are stored. Takes seconds for one account, a minute or two for many. Uses no credits.',
  input: ToolArguments(
    {
      query: Type.String({
        minLength: 1,
        maxLength: 2000,
        pattern: '\\S',
        description: 'The people to find, in plain English',
      }),
      accounts: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
          maxItems: 50,
          description: 'Ids, domains or exact names of active accounts; by default those activated last',
        }),
      ),
      limit: Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 10,
        description: 'Maximum number of people to show, at most 50; 10 by default',
      }),
      wait_seconds: waitSecondsArgument,
    },
    { query: 'VP of Sales', accounts: ['northwind.example'] },
  ),
  output: ClosedObject({
    run_id: Type.String({ description: 'For check_run, while it is running' }),
    status: OneOf(['running', 'done']),
    complete: Type.Boolean({ description: 'Every account was searched and every email address looked up' }),
    found: Type.Integer(),
    understood_as: Type.Array(Type.String(), { description: 'The titles searched for, the ideal ones first' }),
    people: Type.Array(PersonRecord),
    more: Type.Integer({ description: 'People found but not shown; a higher limit shows them' }),
    message: Nullable(Type.String({ description: 'Why no person was found' })),
    notice: Nullable(
      Type.String({ description: 'Why email addresses cannot be verified, or why a language model failed' }),
    ),
    problems: Type.Array(Type.String()),
  }),
  annotations: { ...ADDITIVE, openWorldHint: true },
  async run(client, { query, accounts, limit, wait_seconds }, context) {
    const account_ids = accounts && (await resolveAccountIds(client, limitNames(accounts), LOOKUP))
    const search_id = newId()
    const searching = client.post('/v1/people/find', {
      body: { query, search_id, ...(account_ids ? { account_ids } : {}) },
    })
    const found = await waitForSearch(client, searching, search_id, wait_seconds, context)
    return found ? toResult(found, limit) : toRunningResult(client, searching, search_id, limit, context.signal)
  },
  text({ run_id, status, complete, found, people, more, message, notice, problems }) {
    const state = status === 'running' ? `Still searching: call check_run with run_id ${run_id} later. ` : ''
    const parts = [
      `${state}Found: ${found}.${complete || status === 'running' ? '' : ' Not everything was searched.'}`,
      ...(people.length > 0 ? [UNTRUSTED_NOTICE, ...people.map(formatPerson)] : []),
      more > 0 ? `${more} more: use a higher limit or a narrower query.` : '',
      message ?? '',
      notice ?? '',
      problems.length > 0 ? `Problems:\n${blockQuote(problems.join('\n'))}` : '',
    ]
    return parts.filter(Boolean).join('\n')
  },
})

type Found = Schemas['FoundPeople']

/** The result, or null when the time is up first; reports progress meanwhile. */
async function waitForSearch(
  client: Bellwether,
  searching: Promise<Found>,
  id: string,
  seconds: number,
  { signal, progress }: ToolContext,
): Promise<Found | null> {
  const ended = new AbortController()
  const done = searching.finally(() => ended.abort())
  // Avoids an unhandled rejection after the wait has ended; the search is stored under its id.
  done.catch(() => {})
  const waiting = AbortSignal.any([signal, ended.signal, AbortSignal.timeout(seconds * 1000)])
  while (!waiting.aborted) {
    await sleep(POLL_MS, undefined, { signal: waiting }).catch(() => {})
    if (waiting.aborted) break
    const search = await client.get('/v1/people/searches/{id}', { path: { id } }).catch(ignoreUntilStored)
    if (search)
      progress(search.accounts_done, search.accounts, `${search.accounts_done} of ${search.accounts} accounts searched`)
  }
  signal.throwIfAborted()
  if (!ended.signal.aborted) return null
  const found = await done
  progress(found.accountsSearched, found.accountsSearched, `${found.found} found`)
  return found
}

/** The search is stored shortly after its start, and a failed poll is no reason to stop waiting. */
function ignoreUntilStored(error: unknown): null {
  if (ApiError.is(error, 'not_found') || isTransient(error)) return null
  throw error
}

function toResult({ search_id, complete, found, cascade, contacts, message, notice, problems }: Found, limit: number) {
  return {
    ...{ run_id: search_id, status: 'done' as const, complete, found },
    understood_as: cascade.flatMap(({ titles }) => titles.slice(0, 3)).slice(0, 8),
    ...{ people: contacts.slice(0, limit).map(toPersonRecord), more: Math.max(0, contacts.length - limit) },
    ...{ message, notice, problems: problems.slice(0, 5).map(({ message: why }) => singleLine(why, 200)) },
  }
}

/** Waits until the search is stored, so that check_run finds the id that is returned. Throws when the search is refused. */
async function toRunningResult(
  client: Bellwether,
  searching: Promise<Found>,
  id: string,
  limit: number,
  signal: AbortSignal,
) {
  const read = () => client.get('/v1/people/searches/{id}', { path: { id } }).catch(ignoreUntilStored)
  let search = await read()
  for (let polls = 0; !search && polls < MAX_STORED_POLLS; polls++) {
    const found = await Promise.race([searching, sleep(STORED_POLL_MS, null, { signal })])
    if (found) return toResult(found, limit)
    search = await read()
  }
  const contacts = search?.contacts ?? []
  return {
    ...{ run_id: id, status: 'running' as const, complete: false, found: contacts.length, understood_as: [] },
    ...{ people: contacts.slice(0, limit).map(toPersonRecord), more: Math.max(0, contacts.length - limit) },
    ...{ message: null, notice: null, problems: [] },
  }
}

export const revealEmailTool = defineTool({
  name: 'reveal_email',
  title: 'Reveal an email',
  description:
    'Returns the verified work email of a person and looks it up if it is not known yet; if none can be verified, returns the reason. Use it for people without an email; find_people already looks one up. Uses no credits.',
  input: ToolArguments(
    {
      person: Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'The id of a person, or their exact full name',
      }),
    },
    { person: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90' },
  ),
  output: ClosedObject({
    id: Type.String(),
    email: Nullable(Type.String()),
    reason: Nullable(Type.String({ description: 'Why there is none' })),
  }),
  annotations: { ...ADDITIVE, openWorldHint: true },
  async run(client, { person }) {
    const { id, email, reason } = await client.post('/v1/people/{id}/email', {
      path: { id: await resolvePersonId(client, person, LOOKUP) },
    })
    return { id, email, reason: reason && singleLine(reason, 300) }
  },
  text: ({ email, reason }) => email ?? `No verified email. ${reason ? quoteName(reason, 300) : ''}`.trim(),
})
