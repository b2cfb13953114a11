import type { IncomingHttpHeaders } from 'node:http'
import type { Deps } from '../../deps/deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { definePurge } from '../../jobs/purge.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import { type ChatInteraction, type ChatMessage, InteractionRefusedError } from '../../providers/chat/types.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { insertInteraction, oldInteractions } from '../../resources/connections/interaction-store.ts'
import { findConnection } from '../../resources/connections/store.ts'
import { findMemberByEmail, getMemberTimeZone } from '../../resources/members/store.ts'
import type { WorkItem } from '../../resources/work-items/schema.ts'
import { addDays, dayIn } from '../../shared/days.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { closeWorkItem, snoozeWorkItem } from './change.ts'

type Click = Pick<ChatInteraction, 'user_id' | 'action' | 'snooze_until' | 'work_item_id' | 'channel' | 'ts'>

/** One text for every refusal, so that a response does not tell a forger what was wrong. */
const REFUSED = 'This request is not accepted.'
const TIME_LIMIT_MS = 60_000

/**
 * Accepts a click on a button of a chat message: verifies its signature and time, and enqueues the action with the
 * signature, so that an accepted click is done once. Returns why it is refused, or null.
 */
export async function takeInteraction(
  { db, secrets, jobs, now, log }: Pick<Deps, 'db' | 'secrets' | 'jobs' | 'now' | 'log'>,
  workspaceId: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<string | null> {
  const secret = (await findConnection(db, workspaceId, 'chat', secrets))?.credential.signing_secret
  if (!secret) return REFUSED
  try {
    const click = chatVendor.verifyInteraction(headers, body, secret, now())
    if (!click) return null
    const { user_id, action, snooze_until, work_item_id, channel, ts, signature } = click
    const payload = { workspace_id: workspaceId, user_id, action, snooze_until, work_item_id, channel, ts }
    return await db.transaction().execute(async (db) => {
      if (!(await insertInteraction(db, workspaceId, signature))) return REFUSED
      await jobs.enqueue(db, answerInteraction, payload)
      return null
    })
  } catch (error) {
    if (!(error instanceof InteractionRefusedError)) throw error
    log.warn({ workspace_id: workspaceId, reason: error.reason }, 'a chat interaction was refused')
    return REFUSED
  }
}

/**
 * Does what a member clicked, with their rights, and updates the message. A click that is not allowed or too late is
 * answered by a direct message.
 */
export const answerInteraction = defineJob<Click & { workspace_id: string }>({
  name: 'answer-chat-interaction',
  async run(deps, { workspace_id, ...click }, { signal }) {
    const connection = await findConnection(deps.db, workspace_id, 'chat', deps.secrets)
    if (!connection) return
    const { token } = connection.credential
    const chat = toProviderDeps(deps, AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]))
    const found = await chatVendor.findUser(chat, token, click.user_id)
    if ('unavailable' in found) throw new Error(found.unavailable)
    const answer = 'refused' in found ? found.refused : await act(deps, workspace_id, found.user.email, click)
    const sent =
      typeof answer === 'string'
        ? await chatVendor.post(chat, token, click.user_id, plainMessage(answer))
        : await chatVendor.update(chat, token, click.channel, click.ts, answer)
    if (sent.result === 'retry') throw new Error(sent.message ?? 'The chat did not accept the answer.')
    if (sent.result === 'failed') deps.log.warn({ reason: sent.message }, 'the chat did not accept an answer')
  },
})

export const purgeInteractions = definePurge('purge-chat-interactions', 51, () => ({ interactions: oldInteractions }))

/** Returns the updated message, or why the click had no effect. */
async function act(deps: Deps, workspaceId: string, email: string, click: Click): Promise<ChatMessage | string> {
  const member = await findMemberByEmail(deps.db, workspaceId, email)
  if (!member) return `You are not a member of this workspace: ${email} is not the email of a member.`
  try {
    const item = await change(deps, { ...member, ...NO_KEY, workspace_id: workspaceId }, click)
    return resultMessage(item, member.name)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.message
  }
}

const NO_KEY = { key_id: null, session_id: null, read_only: false }

async function change(
  deps: Deps,
  member: Member,
  { action, snooze_until, work_item_id: id }: Click,
): Promise<WorkItem> {
  if (action === 'done') return closeWorkItem(deps, member, id, { outcome: 'contacted' })
  if (action === 'wrong') return closeWorkItem(deps, member, id, { outcome: 'wrong' })
  const today = dayIn(await getMemberTimeZone(deps.db, member.workspace_id, member.id), deps.now())
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  const days = snooze_until === 'next_monday' ? (8 - weekday) % 7 || 7 : 1
  return snoozeWorkItem(deps, member, id, { until: addDays(today, days) })
}

/** The message after the action: what was done by whom, and the finding; without buttons unless the item is still open. */
function resultMessage({ account, state, outcome, snoozed_until, events }: WorkItem, by: string): ChatMessage {
  const what =
    state === 'done'
      ? `${outcome === 'wrong' ? 'Marked as wrong' : 'Done'} by ${by}`
      : state === 'snoozed'
        ? `Snoozed until ${snoozed_until} by ${by}`
        : `Finding marked as wrong by ${by}`
  const title = `${account.name}: ${what}`
  const [lead] = events
  const heading = lead?.headline ?? null
  return {
    title,
    summary: title,
    sections: [{ heading: heading ?? account.name, text_md: null, note: what, links: [] }],
    link: null,
    actions: null,
  }
}

const plainMessage = (text: string): ChatMessage => ({
  title: 'That did not work',
  summary: text,
  sections: [{ heading: null, text_md: null, note: text, links: [] }],
  link: null,
  actions: null,
})
