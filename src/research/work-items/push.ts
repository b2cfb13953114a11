import type { Static } from 'typebox'
import { type HandOverResult, handOverToCrm } from '../../delivery/crm/hand-over.ts'
import type { Deps } from '../../deps/deps.ts'
import { type CrmProvider, crmVendor } from '../../providers/crm/registry.ts'
import { requireOwn } from '../../resources/accounts/own.ts'
import { getMemberTimeZone } from '../../resources/members/store.ts'
import { recordHandOver } from '../../resources/work-items/activity-store.ts'
import type { WorkItem } from '../../resources/work-items/schema.ts'
import { getWorkItem } from '../../resources/work-items/store.ts'
import { dayIn } from '../../shared/days.ts'
import { AppError } from '../../shared/errors.ts'
import { type Member, viewerOf } from '../../shared/member.ts'
import { finishHandOver } from './change.ts'
import type { PushedWorkItem } from './schema.ts'

/** The caller waits for the CRMs. */
const TIME_LIMIT_MS = 45_000
const MAX_TITLE_CHARS = 200

/**
 * Pushes the company and the person of a work item to the connected CRMs, with a note (evidence and draft) and a task due
 * today. The item is closed when every CRM has them; otherwise it stays open, and pushing again writes what is missing.
 * Throws not_found, forbidden, crm_not_connected, invalid_transition.
 */
export async function pushWorkItem(
  deps: Deps,
  member: Member,
  id: string,
  provider: CrmProvider | undefined,
): Promise<Static<typeof PushedWorkItem>> {
  const viewer = viewerOf(member)
  const item = await getWorkItem(deps.db, viewer, id)
  requireOwn(member, item.account.owner_id)
  if (item.state === 'done') throw new AppError('invalid_transition', 'It is done. Reopen it before you push it.')
  const [lead] = item.events
  const zone = await getMemberTimeZone(deps.db, member.workspace_id, member.id)
  const handOver = {
    work_item_id: id,
    account_id: item.account.id,
    person_id: item.person?.id ?? null,
    title: `Contact ${item.account.name}: ${lead?.headline ?? 'new findings'}`.slice(0, MAX_TITLE_CHARS),
    text: noteOf(item),
    due_on: dayIn(zone, deps.now()),
  }
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  const results = await handOverToCrm(deps, viewer, handOver, provider, signal)
  const arrived = results.filter(({ ok }) => ok)
  for (const { provider } of arrived) await recordPush(deps, member, item, provider)
  const isDone = arrived.length === results.length
  const work_item = isDone ? await finishHandOver(deps, member, id) : await getWorkItem(deps.db, viewer, id)
  return { work_item, results: results.map(toResult) }
}

function recordPush({ db }: Pick<Deps, 'db'>, member: Member, item: WorkItem, provider: CrmProvider): Promise<void> {
  const by = { member_id: member.id, work_item_id: item.id, person_id: item.person?.id ?? null }
  return recordHandOver(db, member.workspace_id, {
    ...{ account_id: item.account.id, ...by },
    target: crmVendor(provider).label,
  })
}

const toResult = ({ provider, ok, created, error, notice }: HandOverResult) => ({
  ...{ provider, ok, created, error, notice },
})

/** The evidence and the draft as plain text. */
function noteOf({ events, drafted_message_md }: WorkItem): string {
  const evidence = events.map(({ headline, happened_on, quote, source_url }) =>
    [`${happened_on}: ${headline}`, quote && `“${quote}”`, source_url].filter(Boolean).join('\n'),
  )
  const draft = drafted_message_md?.replaceAll('**', '')
  return [...evidence, ...(draft ? [`Draft:\n${draft}`] : [])].join('\n\n')
}
