import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Bellwether, type Schemas } from '@bellwether/client'
import { resolveAccountIds, resolvePersonId } from '@bellwether/client/names'
import { Type } from 'typebox'
import { Nullable, OneOf } from '../../http/schema.ts'
import { newId } from '../../ids.ts'
import { formatPerson, PersonRecord, toPersonRecord } from '../records/people.ts'
import { isTransient } from '../shared/errors.ts'
import { LOOKUP, limitNames } from '../shared/names.ts'
import { ADDITIVE, ClosedObject, defineTool, ToolArguments, type ToolContext } from '../shared/tool.ts'
import { blockQuote, quoteName, singleLine, UNTRUSTED_NOTICE } from '../shared/untrusted-text.ts'
import { waitSecondsArgument } from '../shared/wait.ts'

const LOOK_MS = 1_000

export const findPeopleTool = defineTool({
  name: 'find_people',
  title: 'Find people',
  description:
    'Finds people at active accounts by a request in plain English ("VP of Sales, otherwise whoever runs revenue"), the ideal role first, each with a verified work email or the reason why not. Whoever is found is kept. Takes seconds at one account, a minute or two at many. Takes no credits.',
  input: ToolArguments(
    {
      query: Type.String({
        minLength: 1,
        maxLength: 2000,
        pattern: '\\S',
        description: 'Who is wanted, in plain English',
      }),
      accounts: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
          maxItems: 50,
          description: 'Where: ids, domains or exact names of active accounts; those activated last when left out',
        }),
      ),
      limit: Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 10,
        description: 'How many of them to show, at most 50; 10 unless given',
      }),
      wait_seconds: waitSecondsArgument,
    },
    { query: 'VP of Sales', accounts: ['northwind.example'] },
  ),
  output: ClosedObject({
    run_id: Type.String({ description: 'For check_run, while it is running' }),
    status: OneOf(['running', 'done']),
    complete: Type.Boolean({ description: 'Every account was searched, and every address looked up' }),
    found: Type.Integer(),
    understood_as: Type.Array(Type.String(), { description: 'The titles looked for, the ideal ones first' }),
    people: Type.Array(PersonRecord),
    more: Type.Integer({ description: 'Found and not shown: a higher limit shows them' }),
    message: Nullable(Type.String({ description: 'Why nobody was found' })),
    notice: Nullable(Type.String({ description: 'Why addresses cannot be verified, or a model did not work' })),
    problems: Type.Array(Type.String()),
  }),
  annotations: { ...ADDITIVE, openWorldHint: true },
  async run(client, { query, accounts, limit, wait_seconds }, context) {
    const account_ids = accounts && (await resolveAccountIds(client, limitNames(accounts), LOOKUP))
    const search_id = newId()
    const searching = client.post('/v1/people/find', {
      body: { query, search_id, ...(account_ids ? { account_ids } : {}) },
    })
    const found = await within(client, searching, search_id, wait_seconds, context)
    return found ? answer(found, limit) : stillRunning(client, search_id, limit)
  },
  text({ run_id, status, complete, found, people, more, message, notice, problems }) {
    const state = status === 'running' ? `Still searching: ask again with check_run and run_id ${run_id}. ` : ''
    const parts = [
      `${state}Found: ${found}.${complete || status === 'running' ? '' : ' Not everything was searched.'}`,
      ...(people.length > 0 ? [UNTRUSTED_NOTICE, ...people.map(formatPerson)] : []),
      more > 0 ? `${more} more: ask with a higher limit, or more narrowly.` : '',
      message ?? '',
      notice ?? '',
      problems.length > 0 ? `Problems:\n${blockQuote(problems.join('\n'))}` : '',
    ]
    return parts.filter(Boolean).join('\n')
  },
})

type Found = Schemas['FoundPeople']

/** The result, or null when the time is up first; tells meanwhile how far the search is. */
async function within(
  client: Bellwether,
  searching: Promise<Found>,
  id: string,
  seconds: number,
  { signal, progress }: ToolContext,
): Promise<Found | null> {
  const ended = new AbortController()
  const done = searching.finally(() => ended.abort())
  // Whoever no longer waits does not hear how it ends; the search is kept under its id.
  done.catch(() => {})
  const waiting = AbortSignal.any([signal, ended.signal, AbortSignal.timeout(seconds * 1000)])
  while (!waiting.aborted) {
    await sleep(LOOK_MS, undefined, { signal: waiting }).catch(() => {})
    if (waiting.aborted) break
    const search = await client.get('/v1/people/searches/{id}', { path: { id } }).catch(notYet)
    if (search)
      progress(search.accounts_done, search.accounts, `${search.accounts_done} of ${search.accounts} accounts searched`)
  }
  signal.throwIfAborted()
  if (!ended.signal.aborted) return null
  const found = await done
  progress(found.accountsSearched, found.accountsSearched, `${found.found} found`)
  return found
}

/** It is there a moment after it began, and a look that fails is no reason to give it up. */
function notYet(error: unknown): null {
  if (ApiError.is(error, 'not_found') || isTransient(error)) return null
  throw error
}

function answer({ search_id, complete, found, cascade, contacts, message, notice, problems }: Found, limit: number) {
  return {
    ...{ run_id: search_id, status: 'done' as const, complete, found },
    understood_as: cascade.flatMap(({ titles }) => titles.slice(0, 3)).slice(0, 8),
    ...{ people: contacts.slice(0, limit).map(toPersonRecord), more: Math.max(0, contacts.length - limit) },
    ...{ message, notice, problems: problems.slice(0, 5).map(({ message: why }) => singleLine(why, 200)) },
  }
}

async function stillRunning(client: Bellwether, id: string, limit: number) {
  const search = await client.get('/v1/people/searches/{id}', { path: { id } }).catch(notYet)
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
    'Answers the verified work email of a person, looking it up where it is not known yet; where none can be proven, says why and gives none. Use it for people without an email; find_people looks for one by itself. Takes no credits.',
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
