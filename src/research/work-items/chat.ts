import type { IncomingHttpHeaders } from 'node:http'
import type { Deps } from '../../deps/deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { definePurge } from '../../jobs/purge.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import { type ChatInteraction, type ChatMessage, InteractionRefusedError } from '../../providers/chat/types.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { insertInteraction, oldInteractions } from '../../resources/connections/interaction-store.ts'
import { findConnection } from '../../resources/connections/store.ts'
import { findMember, findMemberByEmail, getMemberTimeZone } from '../../resources/members/store.ts'
import type { WorkItem } from '../../resources/work-items/schema.ts'
import { addDays, dayIn } from '../../shared/days.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { closeWorkItem, markWrong, snoozeWorkItem } from './change.ts'

type Click = Omit<ChatInteraction, 'signature'>

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
    const { signature, ...payload } = click
    return await db.transaction().execute(async (db) => {
      if (!(await insertInteraction(db, workspaceId, signature))) return REFUSED
      await jobs.enqueue(db, answerInteraction, { workspace_id: workspaceId, ...payload })
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
 * answered by a direct message. When the chat does not accept the answer, the job runs again: the actions are idempotent.
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
    const { state, changed_by } = item
    // A colleague may have closed it before.
    const isOwn = click.action === 'wrong' || state === 'open' || changed_by === member.id
    const by = isOwn ? member : changed_by && (await findMember(deps.db, workspaceId, changed_by))
    return resultMessage(item, click, by ? by.name : 'a former member', deps.config.PUBLIC_URL)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.message
  }
}

const NO_KEY = { key_id: null, session_id: null, read_only: false }

async function change(
  deps: Deps,
  member: Member,
  { action, snooze_until, work_item_id: id, detection_id }: Click,
): Promise<WorkItem> {
  if (action === 'done') return closeWorkItem(deps, member, id, { outcome: 'contacted' })
  if (action === 'wrong' && detection_id) return markWrong(deps, member, id, detection_id)
  const today = dayIn(await getMemberTimeZone(deps.db, member.workspace_id, member.id), deps.now())
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  const days = snooze_until === 'next_monday' ? (8 - weekday) % 7 || 7 : 1
  return snoozeWorkItem(deps, member, id, { until: addDays(today, days) })
}

/** The message after the action: what was done by whom, and the findings; with buttons while the item is open. */
function resultMessage(
  { id, account, state, outcome, snoozed_until, events }: WorkItem,
  { action }: Click,
  by: string,
  publicUrl: string | null,
): ChatMessage {
  const what =
    action === 'wrong' || outcome === 'wrong'
      ? `Marked as wrong by ${by}`
      : state === 'done'
        ? `Done by ${by}`
        : `Snoozed until ${snoozed_until} by ${by}`
  const title = `${account.name}: ${what}`
  const shown = events.map(({ id, kind, headline, happened_on }) => ({
    ...{ heading: headline, text_md: null, note: happened_on, links: [] },
    ...(kind === 'detection' && { detection_id: id }),
  }))
  return {
    title,
    summary: title,
    sections: [{ heading: null, text_md: null, note: what, links: [] }, ...shown],
    link: null,
    actions:
      state === 'open' ? { work_item_id: id, open_url: publicUrl && `${publicUrl}/accounts/${account.id}` } : null,
  }
}

const plainMessage = (text: string): ChatMessage => ({
  title: 'That did not work',
  summary: text,
  sections: [{ heading: null, text_md: null, note: text, links: [] }],
  link: null,
  actions: null,
})
