import type { Deps } from '../../deps/deps.ts'
import type { CheckRights } from '../../http/operation.ts'
import { maskUrl } from '../../outbound/url-policy.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { AppError, rethrowForField } from '../../shared/errors.ts'
import { canReadSecrets, type Member } from '../../shared/member.ts'
import { findMember } from '../members/store.ts'
import { listSignals } from '../signals/store.ts'
import { findWebhookTarget } from '../webhook-destinations/store.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import type { AlertRule, CreateAlertRule, UpdateAlertRule } from './schema.ts'
import {
  countAlertRules,
  deleteAlertRuleRow,
  getAlertRule,
  insertAlertRule,
  type RuleFields,
  rescheduleDigests,
  resumeSubscription,
  updateAlertRuleRow,
} from './store.ts'

const MAX_RULES = 50

type Parts = Pick<Deps, 'db' | 'secrets' | 'outbound'>

/** A rule with the URL of its workflow as the member may read it. */
export const readableRule = (member: Member, rule: AlertRule): AlertRule =>
  canReadSecrets(member) ? rule : { ...rule, teams_url: rule.teams_url && maskUrl(rule.teams_url) }

/**
 * Adds a rule of the member. Throws invalid_request, forbidden, unknown_member, unknown_signal, unknown_destination,
 * url_not_allowed.
 */
export async function createAlertRule(parts: Parts, member: Member, wanted: CreateAlertRule): Promise<AlertRule> {
  const { db, secrets } = parts
  const defaults: Omit<RuleFields, 'name' | 'events' | 'channel'> = {
    ...{ is_enabled: true, signals: [], min_score: 0, only_mine: false, tags: [], statuses: [], icp_tiers: [] },
    relationships: [],
    ...{ recipient: recipientFor(wanted), to_member_id: null, chat_channel: null, destination_id: null },
    ...{ teams_url: null, schedule: 'at_once', hour: 8 },
  }
  const rule = fitToChannel({ ...defaults, ...wanted }, member.id)
  requireOwnRecipient(member, rule)
  const fields = await checkRule(parts, member, rule, wanted)
  return db.transaction().execute(async (db) => {
    // Two concurrent calls must not exceed the limit.
    await lockWorkspace(db, member.workspace_id)
    if ((await countAlertRules(db, member)) >= MAX_RULES)
      throw new AppError('invalid_request', `A member has at most ${MAX_RULES} alert rules. Delete one first.`)
    const id = await insertAlertRule(db, member, secrets, { ...fields, teams_url_masked: maskedUrl(fields) })
    return getAlertRule(db, member, id, secrets)
  })
}

/** Changes a rule. Throws not_found, and the same as `createAlertRule`. */
export async function updateAlertRule(
  parts: Parts,
  member: Member,
  id: string,
  wanted: UpdateAlertRule,
): Promise<AlertRule> {
  const { db, secrets } = parts
  const before = await getAlertRule(db, member, id, secrets)
  const { id: _, member_id, created_at, ...present } = before
  const after = fitToChannel({ ...present, ...wanted }, member_id)
  const changed = changedFields<Partial<RuleFields>>(present, after)
  const subscription = { workspace_id: member.workspace_id, rule_id: id, member_id: member.id }
  if (Object.keys(changed).length === 0) {
    if (wanted.is_enabled) await resumeSubscription(db, subscription)
    return before
  }
  // A member who was an admin can still switch their rules off.
  const isSwitchedOff = Object.keys(changed).length === 1 && changed.is_enabled === false
  if (!isSwitchedOff) requireOwnRecipient(member, after)
  const fields = await checkRule(parts, member, after, changed)
  const stored = { ...changedFields<Partial<RuleFields>>(present, fields), teams_url_masked: maskedUrl(fields) }
  return db.transaction().execute(async (db) => {
    await updateAlertRuleRow(db, member.workspace_id, id, secrets, stored)
    if (wanted.is_enabled) await resumeSubscription(db, subscription)
    if ('schedule' in changed || 'hour' in changed) await rescheduleDigests(db, member.workspace_id, { rule_id: id })
    return getAlertRule(db, member, id, secrets)
  })
}

/** Deletes a rule; its alerts that wait are not sent. Throws not_found. */
export async function deleteAlertRule({ db }: Pick<Deps, 'db'>, member: Member, id: string): Promise<void> {
  await getAlertRule(db, member, id, null)
  await deleteAlertRuleRow(db, member.workspace_id, id)
}

/** The right to add a rule; also checked before a stored response is replayed. Throws forbidden. */
export const mayCreateRule: CheckRights = async (_deps, { member, body }) => {
  const rule = body as CreateAlertRule
  requireOwnRecipient(member, { recipient: recipientFor(rule), to_member_id: rule.to_member_id ?? member.id })
}

/** Only admins send alerts to other members and to shared places. Throws forbidden. */
function requireOwnRecipient(
  { role, id }: Member,
  { recipient, to_member_id }: Pick<RuleFields, 'recipient' | 'to_member_id'>,
): void {
  if (role === 'admin' || (recipient === 'member' && to_member_id === id)) return
  throw new AppError(
    'forbidden',
    'Your rules send alerts to you only. Ask an admin for rules that reach other members, a chat channel or a webhook.',
  )
}

const isPersonal = ({ channel }: Pick<RuleFields, 'channel'>) => channel === 'email' || channel === 'chat_dm'

/** The recipient of a new rule: the member, or the shared place that the channel is. */
const recipientFor = (rule: Pick<CreateAlertRule, 'channel' | 'recipient'>) =>
  rule.recipient ?? (isPersonal(rule) ? 'member' : 'channel')

const maskedUrl = ({ teams_url }: Pick<RuleFields, 'teams_url'>) => teams_url && maskUrl(teams_url)

/** Drops the targets of other channels and recipients, so that a rule can change its channel. */
function fitToChannel(rule: RuleFields, memberId: string): RuleFields {
  const { channel, recipient } = rule
  return {
    ...rule,
    name: rule.name.trim(),
    to_member_id: recipient === 'member' ? (rule.to_member_id?.toLowerCase() ?? memberId) : null,
    chat_channel: channel === 'chat' ? (rule.chat_channel?.trim() ?? null) : null,
    destination_id: channel === 'webhook' ? (rule.destination_id?.toLowerCase() ?? null) : null,
    teams_url: channel === 'teams' ? rule.teams_url : null,
  }
}

/** Checks what the database checks too, and that named records exist. Returns the rule with the parsed URL. */
async function checkRule(
  { db, secrets, outbound }: Parts,
  member: Member,
  rule: RuleFields,
  changed: Partial<RuleFields>,
): Promise<RuleFields> {
  const { workspace_id } = member
  const problem = findConflict(rule)
  if (problem) {
    const [path, message] = problem
    throw new AppError('invalid_request', `${path} ${message}.`, { details: [{ path, message }] })
  }
  const isOwn = rule.to_member_id === member.id && member.kind === 'person'
  if (rule.to_member_id && !isOwn && !(await findMember(db, workspace_id, rule.to_member_id)))
    throw new AppError(
      'unknown_member',
      'to_member_id must be a member of this workspace; GET /members lists them.',
      forField('to_member_id'),
    )
  if (changed.signals && changed.signals.length > 0) {
    const known = new Set((await listSignals(db, workspace_id)).map(({ id }) => id))
    const unknown = changed.signals.find((id) => !known.has(id))
    if (unknown !== undefined)
      throw new AppError(
        'unknown_signal',
        `There is no signal ${unknown}; GET /signals lists them.`,
        forField('signals'),
      )
  }
  if (rule.destination_id && !(await findWebhookTarget(db, workspace_id, rule.destination_id, secrets)))
    throw new AppError(
      'unknown_destination',
      'destination_id must be a destination of this workspace; GET /webhook-destinations lists them.',
      forField('destination_id'),
    )
  if (!rule.teams_url || changed.teams_url === undefined) return rule
  // Stored in the parsed form, so that the checked URL is the one that is called.
  const url = await outbound.policy.check(rule.teams_url).catch(rethrowForField('teams_url'))
  return { ...rule, teams_url: url.href }
}

const forField = (path: string) => ({ details: [{ path, message: 'is not known in this workspace' }] })

/** The first field that does not fit the others, with what it must be. */
function findConflict(rule: RuleFields): [field: string, message: string] | null {
  const { channel, recipient, chat_channel, destination_id, teams_url, schedule, events, only_mine } = rule
  if (isPersonal(rule) && recipient === 'channel') return ['recipient', `must be owner or member for ${channel}`]
  if (!isPersonal(rule) && recipient !== 'channel') return ['recipient', `must be channel for ${channel}`]
  if (channel === 'chat' && !chat_channel) return ['chat_channel', 'is required for the channel chat']
  if (channel === 'webhook' && !destination_id) return ['destination_id', 'is required for the channel webhook']
  if (channel === 'teams' && !teams_url) return ['teams_url', 'is required for the channel teams']
  if (channel === 'webhook' && schedule !== 'at_once') return ['schedule', 'must be at_once for the channel webhook']
  if (channel !== 'webhook' && events.includes('work_item.done'))
    return ['events', 'can contain work_item.done only for the channel webhook']
  if (recipient === 'channel' && only_mine) return ['only_mine', 'needs a person as the recipient']
  return null
}
