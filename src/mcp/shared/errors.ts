import { ApiError, type ErrorCode, Unreachable } from '@bellwether/client'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { singleLine } from './untrusted-text.ts'

/** What a refusal repeats may be somebody else's words: they stay on its line. */
const LONGEST = 1000

/** A refusal in our own words, made for whoever called the tool. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** What to do next, where the message of the service does not say it to an agent. */
const NEXT: Partial<Record<ErrorCode | 'unexpected', string>> = {
  unauthenticated: 'The API key is missing, wrong or expired: ask the person for another one.',
  subscription_required:
    'Nothing was started. Tell the person that the subscription is not active; trying again is of no use.',
  plan_limit_reached:
    'No credit is left in this period. Deactivate an account that is no longer needed, or have an admin raise the limit.',
  forbidden:
    'The member behind this key may not do this: ask an admin, or work on accounts of your own (search_accounts with owner "me").',
  not_found: 'Check the id or the name: search_accounts finds accounts, find_people people.',
  account_active: 'The account is active already; nothing needs to be done.',
  account_not_active: 'Activate it first with activate_accounts (one credit), then try again.',
  account_not_searchable: 'Only active accounts are searched: activate_accounts first (one credit each).',
  invalid_transition: 'Read the account with read_account: its status does not allow this.',
  no_active_signal: 'Create a signal with create_signal, or have one switched on.',
  crm_not_connected: 'Push to a webhook destination instead, or ask an admin to connect a CRM.',
  idempotency_key_reused: 'Use a new request_key for a new request.',
  name_taken: 'Choose another name, or use what has this name already.',
  unknown_destination: 'Call push with a name that is there; its error lists them.',
  unknown_signal: 'The resource bellwether://signals lists the signals.',
  internal: 'Try again once; then tell the person.',
}

/** What a failed call says to whoever made it; null for what is a mistake of ours. */
export function describeError(error: unknown): string | null {
  if (error instanceof ToolError) return error.message
  if (error instanceof Unreachable) return `${error.message} Nothing is known about the outcome; try again in a moment.`
  if (!(error instanceof ApiError)) return null
  const { code, message, details, retryAfter, requestId } = error
  const fields = details.filter(({ path, message: why }) => !message.startsWith(`${path} ${why}`))
  return [
    singleLine(message, LONGEST),
    ...fields.slice(0, 5).map(({ path, message: why }) => `- ${singleLine(path, 80)}: ${singleLine(why, LONGEST)}`),
    [
      nextStepFor(code),
      retryAfter === null ? '' : `Try again in ${Math.ceil(retryAfter)} seconds, not before.`,
      `(${code}${requestId ? `, request ${requestId}` : ''})`,
    ]
      .filter(Boolean)
      .join(' '),
  ].join('\n')
}

/** Whether the same call may work in a moment: what was started before goes on meanwhile. */
export function isTransient(error: unknown): boolean {
  return error instanceof Unreachable || ApiError.is(error, 'rate_limited', 'unavailable', 'internal')
}

export function nextStepFor(code: string): string {
  return NEXT[code as ErrorCode] ?? ''
}

/** The same for resources and prompts, which have no other way to say it than an error of the protocol. */
export function throwProtocolError(error: unknown): never {
  const message = describeError(error)
  if (message === null) throw error
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
