import type { Schemas } from '@bellwether/client'
import { resolveAccountIds, resolvePersonIds, resolvePushTarget } from '@bellwether/client/names'
import type { Command } from 'commander'
import { EXIT_CODES } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'
import { type CommandSession, expandStdin, remoteCommand, withSession } from './session.ts'
import { waitForPush } from './wait.ts'

type PushOptions = { to: string; wait?: boolean; retry?: true }
type Kind = 'accounts' | 'people'
type InlineResult = Schemas['Pushed' | 'CrmPushedAccounts' | 'CrmPushedPeople']
type PushResponse = InlineResult | Schemas['PushStarted']

export function pushCommands(program: Command, io: TerminalIo): void {
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
        'a webhook destination by name or id, crm for every connected CRM, or one CRM by name: HubSpot, Salesforce',
      )
      .option('--retry', 'push in the background, with retries')
      .option('--wait', 'wait for a push in the background (--retry, or more than 100 records)')
      .action(
        withSession(io, async (session, given: string[], { to, wait, retry }: PushOptions) => {
          const words = await expandStdin(io, given)
          const ids = await (kind === 'accounts' ? resolveAccountIds : resolvePersonIds)(session.client, words)
          const response = await send(session, kind, to, ids, retry ? { retry } : {})
          if ('run_id' in response && wait)
            return showFinishedPush(session, await waitForPush(session, response.run_id))
          report(session, response)
        }),
      )
}

async function send(
  { client }: CommandSession,
  kind: Kind,
  to: string,
  ids: string[],
  options: { retry?: true },
): Promise<PushResponse> {
  const account_ids = ids
  const contact_ids = ids
  const target = await resolvePushTarget(client, to)
  if ('destination_id' in target) {
    const { destination_id } = target
    return kind === 'accounts'
      ? client.post('/v1/accounts/webhook-push', { body: { destination_id, account_ids, ...options } })
      : client.post('/v1/people/webhook-push', { body: { destination_id, contact_ids, ...options } })
  }
  const crm = target.provider ? { provider: target.provider } : {}
  return kind === 'accounts'
    ? client.post('/v1/accounts/crm-push', { body: { account_ids, ...crm, ...options } })
    : client.post('/v1/people/crm-push', { body: { contact_ids, ...crm, ...options } })
}

/** Prints the outcome of an inline push, or how to wait for one in the background. */
function report({ out, err, json, note, io }: CommandSession, response: PushResponse): void {
  if (json) out.json(response)
  if (!('pushed' in response)) {
    if (!json) out.line(response.run_id)
    note(
      `${response.total} records are being sent in the background. Wait with "bellwether runs wait ${response.run_id}".`,
    )
    return
  }
  if (!json) out.line(`${response.pushed} pushed, ${response.failed} failed, ${response.skipped} skipped`)
  for (const { id, message } of response.skipped_records) note(`${id} skipped: ${message}`)
  for (const line of failuresOf(response)) err.line(line)
  if (response.failed === 0) return
  note(
    'Failed records are not retried. With --retry, a push runs in the background and retries until it succeeds or the retry limit is reached.',
  )
  io.setExitCode(EXIT_CODES.work_failed)
}

function failuresOf(response: InlineResult): string[] {
  if ('errors' in response) return response.errors.map(({ id, message }) => `${id} failed: ${message}`)
  return response.results.flatMap((row) => {
    const id = 'accountId' in row ? row.accountId : row.contactId
    return row.ok ? [] : [`${id} failed at ${row.provider}: ${row.error ?? 'no reason given'}`]
  })
}

/** Prints a push that has ended; rows that the receiver rejected set the exit code to `work_failed`. */
export function showFinishedPush(session: CommandSession, push: Schemas['PushRun']): void {
  showPush(session, push)
  if (push.failed > 0) session.io.setExitCode(EXIT_CODES.work_failed)
}

export function showPush({ out, err, json, note }: CommandSession, push: Schemas['PushRun']): void {
  const { status, total, sent, failed, skipped, channel, record_type, destination } = push
  if (json) out.json(push)
  else {
    const to = destination?.name ?? channel
    out.line(`${status}: ${sent} of ${total} ${record_type} sent to ${to}, ${failed} failed, ${skipped} skipped`)
  }
  for (const { id, message } of push.skipped_sample) note(`${id} skipped: ${message}`)
  for (const { id, name, message } of push.error_sample) err.line(`${name ?? id ?? 'a record'} failed: ${message}`)
}
