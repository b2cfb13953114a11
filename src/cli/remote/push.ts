import type { Bellwether, Schemas } from '@bellwether/client'
import type { Command } from 'commander'
import { EXIT } from '../terminal/exit.ts'
import type { Io } from '../terminal/io.ts'
import { accountIds, personIds, theOne } from './named.ts'
import { connected, remoteCommand, type Session, withStdin } from './session.ts'
import { waitForPush } from './waiting.ts'

type PushOptions = { to: string; wait?: boolean }
type Kind = 'accounts' | 'people'
type Sent =
  | Schemas['Pushed' | 'PushedInPart']
  | Schemas['CrmPushedAccounts' | 'CrmPushedAccountsInPart' | 'CrmPushedPeople' | 'CrmPushedPeopleInPart']
type Answer = Sent | Schemas['PushStarted']

export function pushCommands(program: Command, io: Io): void {
  const push = program.command('push')
  for (const [kind, word, example] of [
    ['accounts', 'account', 'acme.com globex.com'],
    ['people', 'person', '"Ada Pike"'],
  ] as const)
    remoteCommand(push, `${kind} <${word}...>`, `Push ${kind}, - for ids from stdin`, [
      `push ${kind} ${example} --to crm`,
      `${kind} list --all --ids | bellwether push ${kind} - --to "Data warehouse" --wait`,
    ])
      .requiredOption(
        '--to <destination>',
        'a destination by name or id, crm for every connected CRM, or one by name: HubSpot, Salesforce',
      )
      .option('--wait', 'wait for what goes on in the background: more than 100, or a slow receiver')
      .action(
        connected(io, async (session, given: string[], { to, wait }: PushOptions) => {
          const words = await withStdin(io, given)
          const ids = await (kind === 'accounts' ? accountIds : personIds)(session.client, words)
          const answer = await send(session, kind, to, ids)
          if ('run_id' in answer && wait) return endPush(session, await waitForPush(session, answer.run_id))
          report(session, answer)
        }),
      )
}

async function send({ client }: Session, kind: Kind, to: string, ids: string[]): Promise<Answer> {
  const account_ids = ids
  const contact_ids = ids
  const crm = await crmNamed(client, to)
  if (crm) {
    return kind === 'accounts'
      ? client.post('/v1/accounts/crm-push', { body: { account_ids, ...crm } })
      : client.post('/v1/people/crm-push', { body: { contact_ids, ...crm } })
  }
  const destinations = await client.get('/v1/webhook-destinations')
  const destination_id = destinations.find(({ id }) => id === to)?.id ?? theOne(destinations, to, 'destination or CRM')
  return kind === 'accounts'
    ? client.post('/v1/accounts/webhook-push', { body: { destination_id, account_ids } })
    : client.post('/v1/people/webhook-push', { body: { destination_id, contact_ids } })
}

/** What `crm`, `crm_one` or `HubSpot` means to the API; null for what is no CRM. */
async function crmNamed(client: Bellwether, to: string): Promise<{ provider?: 'crm_one' | 'crm_two' } | null> {
  const word = to.trim().toLowerCase()
  if (word === 'crm') return {}
  for (const { provider, label } of await client.get('/v1/connections/providers'))
    if (provider !== 'chat' && (word === provider || word === label.toLowerCase())) return { provider }
  return null
}

/** Says what became of the rows that were sent at once, and where the others can be looked after. */
function report({ out, err, json, note, io }: Session, answer: Answer): void {
  if (json) out.json(answer)
  if (!('pushed' in answer)) {
    if (!json) out.line(answer.run_id)
    note(`${answer.total} are sent in the background. "bellwether runs wait ${answer.run_id}" waits for them.`)
    return
  }
  if (!json) out.line(`${answer.pushed} pushed, ${answer.failed} failed, ${answer.skipped} skipped`)
  for (const { id, message } of answer.skipped_records) note(`${id} skipped: ${message}`)
  for (const line of failuresOf(answer)) err.line(line)
  if ('pending' in answer)
    note(`${answer.reason} ${answer.pending} go on in the background: bellwether runs wait ${answer.run_id}`)
  if (answer.failed > 0) io.setExitCode(EXIT.work_failed)
}

function failuresOf(answer: Sent): string[] {
  if ('errors' in answer) return answer.errors.map(({ id, message }) => `${id} failed: ${message}`)
  return answer.results.flatMap((row) => {
    const id = 'accountId' in row ? row.accountId : row.contactId
    return row.ok ? [] : [`${id} failed at ${row.provider}: ${row.error ?? 'no reason given'}`]
  })
}

/** Shows a push that has ended; rows that a receiver refused make it fail in part. */
export function endPush(session: Session, push: Schemas['PushRun']): void {
  showPush(session, push)
  if (push.failed > 0) session.io.setExitCode(EXIT.work_failed)
}

export function showPush({ out, err, json, note }: Session, push: Schemas['PushRun']): void {
  const { status, total, sent, failed, skipped, channel, record_type, destination } = push
  if (json) out.json(push)
  else {
    const to = destination?.name ?? channel
    out.line(`${status}: ${sent} of ${total} ${record_type} sent to ${to}, ${failed} failed, ${skipped} skipped`)
  }
  for (const { id, message } of push.skipped_sample) note(`${id} skipped: ${message}`)
  for (const { id, name, message } of push.error_sample) err.line(`${name ?? id ?? 'a record'} failed: ${message}`)
}
