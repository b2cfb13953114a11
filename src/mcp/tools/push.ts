import type { Bellwether } from '@bellwether/client'
import { type PushTarget, resolveAccountIds, resolvePersonIds, resolvePushTarget } from '@bellwether/client/names'
import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../http/schema.ts'
import { toPushReport } from '../records/runs.ts'
import { describeError, ToolError } from '../shared/errors.ts'
import { LOOKUP, limitNames } from '../shared/names.ts'
import {
  ADDITIVE,
  ClosedObject,
  defineTool,
  requestKeyArgument,
  ToolArguments,
  type ToolContext,
} from '../shared/tool.ts'
import { blockQuote, quoteName, singleLine } from '../shared/untrusted-text.ts'
import { followPush, waitSecondsArgument } from '../shared/wait.ts'

const MAX_PUSHED = 500

const Pushed = ClosedObject({
  status: OneOf(['done', 'running', 'failed']),
  pushed: Type.Integer(),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  pending: Type.Integer({ description: 'Not delivered yet' }),
  run_id: Nullable(Type.String({ description: 'For check_run, while it is running' })),
  errors: Type.Array(Type.String(), { description: 'Errors and skipped records, at most 5' }),
})
type Pushed = Static<typeof Pushed>

const records = (what: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: MAX_PUSHED, default: [], description: what })

export const pushTool = defineTool({
  name: 'push',
  title: 'Push to a destination or CRM',
  description:
    'Sends accounts, people or both to another system: to a webhook destination by its name, or to the connected CRMs ("crm"). The receiver gets names, emails and signals, so call it only when the person requested it. Pushing again updates records in a CRM; a webhook receives the rows again under the same ids. Uses no credits.',
  input: ToolArguments(
    {
      to: Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'Name or id of a webhook destination, "crm" for every connected CRM, or one CRM by name',
      }),
      accounts: records(`Ids, domains or exact names of accounts; at most ${MAX_PUSHED}`),
      people: records(`Ids or exact full names of people; at most ${MAX_PUSHED}`),
      retry: Type.Boolean({
        default: false,
        description:
          'true: push in the background, with retries over minutes. Otherwise up to 100 records are sent within 20 seconds, and what is not delivered by then has failed',
      }),
      wait_seconds: waitSecondsArgument,
      request_key: requestKeyArgument,
    },
    { to: 'Data warehouse', accounts: ['northwind.example'], people: ['019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90'] },
  ),
  output: ClosedObject({ to: Type.String(), accounts: Nullable(Pushed), people: Nullable(Pushed) }),
  annotations: { ...ADDITIVE, idempotentHint: false, openWorldHint: true },
  async run(client, { to, accounts, people, retry, wait_seconds, request_key }, context) {
    if (accounts.length + people.length === 0)
      throw new ToolError('Nothing to push: give `accounts`, `people` or both.')
    // All names are resolved before anything is sent.
    const target = await resolvePushTarget(client, to)
    const account_ids = await resolveAccountIds(client, limitNames(accounts), LOOKUP)
    const contact_ids = await resolvePersonIds(client, limitNames(people), LOOKUP)
    const send = { client, target, retry, request_key, wait_seconds, context }
    const sent = account_ids.length > 0 ? await pushAccounts(send, account_ids) : null
    const alsoSent = contact_ids.length > 0 ? pushPeople(send, contact_ids) : null
    return {
      to: singleLine(target.name, 100),
      accounts: sent,
      people:
        sent && alsoSent ? await alsoSent.catch((error) => notStarted(error, contact_ids.length)) : await alsoSent,
    }
  },
  text({ to, accounts, people }) {
    const parts = [
      accounts ? `Accounts to ${quoteName(to)}: ${pushedText(accounts)}` : '',
      people ? `People to ${quoteName(to)}: ${pushedText(people)}` : '',
    ]
    return parts.filter(Boolean).join('\n')
  },
})

type Send = {
  client: Bellwether
  target: PushTarget
  retry: boolean
  request_key: string | undefined
  wait_seconds: number
  context: ToolContext
}

const keyed = ({ request_key }: Send, what: string) => (request_key ? { idempotencyKey: `${request_key}:${what}` } : {})

async function pushAccounts(send: Send, account_ids: string[]): Promise<Pushed> {
  const { client, target, retry } = send
  const extras = keyed(send, 'accounts')
  if ('destination_id' in target) {
    const body = { destination_id: target.destination_id, account_ids, retry }
    return outcome(send, await client.post('/v1/accounts/webhook-push', { body, ...extras }))
  }
  const body = { account_ids, retry, ...(target.provider ? { provider: target.provider } : {}) }
  return outcome(send, await client.post('/v1/accounts/crm-push', { body, ...extras }))
}

async function pushPeople(send: Send, contact_ids: string[]): Promise<Pushed> {
  const { client, target, retry } = send
  const extras = keyed(send, 'people')
  if ('destination_id' in target) {
    const body = { destination_id: target.destination_id, contact_ids, retry }
    return outcome(send, await client.post('/v1/people/webhook-push', { body, ...extras }))
  }
  const body = { contact_ids, retry, ...(target.provider ? { provider: target.provider } : {}) }
  return outcome(send, await client.post('/v1/people/crm-push', { body, ...extras }))
}

/** Reports a failed second push as a result: an error would hide that the first push succeeded, and the agent would repeat it. */
function notStarted(error: unknown, count: number): Pushed {
  const message = describeError(error)
  if (message === null) throw error
  return {
    status: 'failed',
    pushed: 0,
    failed: count,
    skipped: 0,
    pending: 0,
    run_id: null,
    errors: [singleLine(message, 500)],
  }
}

type PushResponse = {
  pushed?: number
  failed?: number
  skipped?: number
  errors?: { message: string }[]
  results?: { error: string | null }[]
  skipped_records?: { message: string }[]
  run_id?: string
}

/** The outcome of a push; waits for it if it runs in the background. */
async function outcome({ client, wait_seconds, context }: Send, response: PushResponse): Promise<Pushed> {
  if (response.run_id) {
    const run = toPushReport(await followPush(client, response.run_id, wait_seconds, context))
    const { sent = 0, failed = 0, skipped = 0, errors = [], status, total, done, run_id } = run
    return { status, pushed: sent, failed, skipped, pending: total - done, run_id, errors }
  }
  const { pushed = 0, failed = 0, skipped = 0, errors = [], results = [], skipped_records = [] } = response
  const messages = [...errors, ...skipped_records].map(({ message }) => message)
  const refused = results.flatMap(({ error }) => error ?? [])
  return {
    ...{ status: pushed === 0 && failed > 0 ? 'failed' : 'done', pushed, failed, skipped, pending: 0, run_id: null },
    errors: [...new Set([...messages, ...refused])].slice(0, 5).map((message) => singleLine(message, 200)),
  }
}

function pushedText({ status, pushed, failed, skipped, pending, run_id, errors }: Pushed): string {
  const rest =
    status === 'running' ? ` ${pending} are still being sent: call check_run with run_id ${run_id} later.` : ''
  const why = errors.length > 0 ? `\n${blockQuote(errors.join('\n'))}` : ''
  return `${pushed} pushed, ${failed} failed, ${skipped} skipped.${rest}${why}`
}
