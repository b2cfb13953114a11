import type { IncomingHttpHeaders } from 'node:http'
import { audited } from '../../audit/record.ts'
import { recordAt } from '../../audit/records.ts'
import type { Deps } from '../../deps/deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { definePurge } from '../../jobs/purge.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import { type ChatInteraction, type ChatMessage, InteractionRefusedError } from '../../providers/chat/types.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { insertInteraction, oldInteractions } from '../../resources/connections/interaction-store.ts'
import { findConnection } from '../../resources/connections/store.ts'
import { findActorName, findMemberByEmail, getMember, getMemberTimeZone } from '../../resources/members/store.ts'
import type { WorkItem } from '../../resources/work-items/schema.ts'
import { getWorkItem } from '../../resources/work-items/store.ts'
import { addDays, dayIn } from '../../shared/days.ts'
import { AppError } from '../../shared/errors.ts'
import { type Member, viewerOf } from '../../shared/member.ts'
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

type Accepted = Click & { workspace_id: string }
/** The member who did it, or why it had no effect. */
type Outcome = { member_id: string } | { refused: string }

/** Does what a member clicked, with their rights. */
export const answerInteraction = defineJob<Accepted>({
  name: 'answer-chat-interaction',
  async run(deps, { workspace_id, ...click }, { signal }) {
    const chat = await openChat(deps, workspace_id, signal)
    if (!chat) return
    const found = await chatVendor.findUser(chat.parts, chat.token, click.user_id)
    if ('unavailable' in found) throw new Error(found.unavailable)
    const outcome = 'refused' in found ? found : await act(deps, workspace_id, found.user.email, click)
    await deps.jobs.enqueue(deps.db, sendOutcome, { workspace_id, ...click, outcome })
  },
})

/**
 * Updates the message after a click; one that is not allowed or too late is answered by a direct message. A job of its own:
 * when the chat does not accept the answer, the action and its entry in the audit log are not repeated.
 */
export const sendOutcome = defineJob<Accepted & { outcome: Outcome }>({
  name: 'send-chat-outcome',
  async run(deps, { workspace_id, outcome, ...click }, { signal }) {
    const chat = await openChat(deps, workspace_id, signal)
    if (!chat) return
    const answer = 'refused' in outcome ? outcome.refused : await describe(deps, workspace_id, outcome.member_id, click)
    const sent =
      typeof answer === 'string'
        ? await chatVendor.post(chat.parts, chat.token, click.user_id, plainMessage(answer))
        : await chatVendor.update(chat.parts, chat.token, click.channel, click.ts, answer)
    if (sent.result === 'retry') throw new Error(sent.message ?? 'The chat did not accept the answer.')
    if (sent.result === 'failed') deps.log.warn({ reason: sent.message }, 'the chat did not accept an answer')
  },
})

/** The chat of a workspace; null when it is no longer connected. */
async function openChat(deps: Deps, workspaceId: string, signal: AbortSignal) {
  const connection = await findConnection(deps.db, workspaceId, 'chat', deps.secrets)
  const parts = toProviderDeps(deps, AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]))
  return connection && { token: connection.credential.token, parts }
}

export const purgeInteractions = definePurge('purge-chat-interactions', 51, () => ({ interactions: oldInteractions }))

async function act(deps: Deps, workspaceId: string, email: string, click: Click): Promise<Outcome> {
  const member = await findMemberByEmail(deps.db, workspaceId, email)
  if (!member) return { refused: `You are not a member of this workspace: ${email} is not the email of a member.` }
  try {
    const source = { workspace_id: workspaceId, actor: 'chat', member_id: member.id } as const
    const target = { record: recordAt('/work-items'), id: click.work_item_id }
    await audited(deps.db, source, ACTIONS[click.action], target, () =>
      change(deps, { ...member, ...NO_KEY, workspace_id: workspaceId }, click),
    )
    return { member_id: member.id }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { refused: error.message }
  }
}

/** The updated message, or why there is none: the member or the item may have been removed since. */
async function describe(
  deps: Deps,
  workspaceId: string,
  memberId: string,
  click: Click,
): Promise<ChatMessage | string> {
  try {
    const member = await getMember(deps.db, workspaceId, memberId)
    const viewer = viewerOf({ ...member, ...NO_KEY, workspace_id: workspaceId })
    const item = await getWorkItem(deps.db, viewer, click.work_item_id)
    const { state, changed_by } = item
    // A colleague may have closed it before.
    const isOwn = click.action === 'wrong' || state === 'open' || changed_by === member.id
    const by = isOwn ? member.name : changed_by && (await findActorName(deps.db, workspaceId, changed_by))
    return resultMessage(item, click, by || 'a former member', deps.config.PUBLIC_URL)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.message
  }
}

const NO_KEY = {
  kind: 'person',
  key_id: null,
  session_id: null,
  read_only: false,
  key_expires_at: null,
  limits: null,
} as const

/** The operations that do the same. */
const ACTIONS = { done: 'closeWorkItem', wrong: 'giveFeedback', snooze: 'snoozeWorkItem' } as const

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
