import { ApiError, type ErrorCode, Unreachable } from '@bellwether/client'
import { NameError, type NameProblem } from '@bellwether/client/names'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { quoteName, singleLine } from './untrusted-text.ts'

/** An error message may repeat text from outside, so it is limited in length and stays on one line. */
const MAX_MESSAGE_CHARS = 1000

/** An error whose message is written for the agent that called the tool. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** What an agent can do next, for errors whose API message addresses a person. */
const NEXT_STEPS: Partial<Record<ErrorCode | 'unexpected', string>> = {
  unauthenticated: 'The API key is missing, wrong or expired: ask the person for another one.',
  subscription_required:
    'Nothing was started. Inform the person that the subscription is not active; a retry does not help.',
  plan_limit_reached:
    'No credit is left in this period. Deactivate an account that is no longer needed, or ask an admin to raise the limit.',
  forbidden:
    'The member behind this key may not do this: ask an admin, or work on your own accounts (search_accounts with owner "me").',
  not_found: 'Check the id or the name: search_accounts finds accounts, find_people finds people.',
  account_active: 'The account is already active; nothing needs to be done.',
  account_not_active: 'Activate it first with activate_accounts (one credit), then try again.',
  account_not_searchable: 'Only active accounts are searched: call activate_accounts first (one credit each).',
  invalid_transition: 'Read the account with read_account: its status does not allow this.',
  no_active_signal: 'Create a signal with create_signal, or have one enabled.',
  crm_not_connected: 'Push to a webhook destination instead, or ask an admin to connect a CRM.',
  idempotency_key_reused: 'Use a new request_key for a new request.',
  name_taken: 'Choose another name, or use the record that already has this name.',
  unknown_destination: 'Call push with the name of an existing destination; its error lists them.',
  unknown_signal: 'The resource bellwether://signals lists the signals.',
  internal: 'Try again once; if it fails again, inform the person.',
}

/** The error as text for the agent; null for an unexpected error, which is reported to the operator instead. */
export function describeError(error: unknown): string | null {
  if (error instanceof ToolError) return error.message
  if (error instanceof NameError) return describeNameProblem(error.problem)
  if (error instanceof Unreachable) return `${error.message} The outcome is unknown; try again in a moment.`
  if (!(error instanceof ApiError)) return null
  const { code, message, details, retryAfter, requestId } = error
  const fields = details.filter(({ path, message: why }) => !message.startsWith(`${path} ${why}`))
  return [
    singleLine(message, MAX_MESSAGE_CHARS),
    ...fields
      .slice(0, 5)
      .map(({ path, message: why }) => `- ${singleLine(path, 80)}: ${singleLine(why, MAX_MESSAGE_CHARS)}`),
    [
      nextStepFor(code),
      retryAfter === null ? '' : `Try again in ${Math.ceil(retryAfter)} seconds, not before.`,
      `(${code}${requestId ? `, request ${requestId}` : ''})`,
    ]
      .filter(Boolean)
      .join(' '),
  ].join('\n')
}

/** Names the tool that helps and the records that were meant, with every name in quotation marks. */
function describeNameProblem(problem: NameProblem): string {
  const { kind, reason, total } = problem
  const isAmbiguous = reason === 'ambiguous'
  const count = problem.candidates.length
  const name = quoteName(problem.name)
  switch (kind) {
    case 'account': {
      const list = problem.candidates
        .slice(0, isAmbiguous ? 10 : 5)
        .map((one) => `${quoteName(one.name)} (${one.domain ?? 'no domain'}, ${one.status}, id ${one.id})`)
        .join('; ')
      if (isAmbiguous) return `${count} accounts are called ${name}. Use the id of one: ${list}.`
      if (count === 0)
        return `No account is called ${name}. search_accounts finds accounts by part of a name or domain; add_accounts adds one.`
      const rest = total > 100 ? ` ${total} match in all: give the domain or the id.` : ''
      return `No account is called exactly ${name}. Similar: ${list}.${rest}`
    }
    case 'person': {
      if (!isAmbiguous)
        return `No person that you can see is called ${name}${problem.account_id ? ' at this account' : ''}. find_people finds people at active accounts.`
      const list = problem.candidates
        .slice(0, 10)
        .map((one) => `${quoteName(one.title ?? 'no title')} at ${quoteName(one.account_name)}, id ${one.id}`)
      return `${count} people are called ${name}. Use the id of one: ${list.join('; ')}.`
    }
    case 'member': {
      const list = problem.candidates.slice(0, 20).map((one) => `${quoteName(one.name)} ${one.email}`)
      return `${isAmbiguous ? `${count} members are` : 'No member is'} called ${name}. Give the email address or "me": ${list.join('; ')}.`
    }
    case 'signal':
      return `No signal is called ${name}. There are: ${problem.candidates.map(({ id }) => id).join(', ')}. create_signal creates one.`
    case 'section': {
      const list = problem.candidates.slice(0, 20).map((one) => `${quoteName(one.title)} (id ${one.id})`)
      const rest = count === 0 ? ' It has no section yet.' : ` There are: ${list.join('; ')}.`
      return `${isAmbiguous ? `${count} sections are` : 'No section of the knowledge base is'} called ${name}.${rest}`
    }
    case 'destination': {
      if (isAmbiguous) {
        const ids = problem.candidates.map((one) => ('destination_id' in one ? one.destination_id : one.name))
        return `${count} destinations are called ${name}. Use the id of one: ${ids.join(', ')}.`
      }
      const list = problem.candidates.map((one) => ('destination_id' in one ? quoteName(one.name) : one.name))
      return `No destination is called ${name}. There are: ${list.join(', ')}. An admin adds destinations.`
    }
  }
}

/** Whether the same call may succeed in a moment. Work that was started before continues meanwhile. */
export function isTransient(error: unknown): boolean {
  return error instanceof Unreachable || ApiError.is(error, 'rate_limited', 'unavailable', 'internal')
}

export function nextStepFor(code: string): string {
  return NEXT_STEPS[code as ErrorCode] ?? ''
}

/** Throws the described error as a protocol error: resources and prompts, unlike tools, have no error result. */
export function throwProtocolError(error: unknown): never {
  const message = describeError(error)
  if (message === null) throw error
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
