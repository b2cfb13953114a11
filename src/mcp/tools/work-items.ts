import type { Schemas } from '@bellwether/client'
import { resolveAccountId } from '@bellwether/client/names'
import { type Static, Type } from 'typebox'
import { ToolError } from '../shared/errors.ts'
import { LOOKUP } from '../shared/names.ts'
import {
  ADDITIVE,
  ClosedObject,
  defineTool,
  formatRemaining,
  pagingArguments,
  READ_ONLY,
  relationshipArgument,
  ToolArguments,
} from '../shared/tool.ts'
import { blockQuote, quoteName, singleLine, UNTRUSTED_NOTICE } from '../shared/untrusted-text.ts'

const MAX_CHARS = 300
const text = Type.Union([Type.String(), Type.Null()])

const WorkItemRecord = ClosedObject({
  id: Type.String(),
  state: Type.String(),
  outcome: text,
  snoozed_until: text,
  act_now: Type.Integer({ description: 'Urgency, 0 to 100' }),
  account: ClosedObject({
    ...{ id: Type.String(), name: Type.String(), domain: text, score: Type.Integer() },
    relationship: Type.String({ description: 'By the CRM: customer, open_deal, lost_deal, former_customer or none' }),
  }),
  person: Type.Union([ClosedObject({ id: Type.String(), name: Type.String(), email: text }), Type.Null()]),
  quoted: ClosedObject(
    {
      why_now: Type.String(),
      reasons: Type.Array(Type.String(), { description: 'Why it has this place, with points' }),
      person_title: text,
      missing: text,
      source_url: text,
    },
    { description: UNTRUSTED_NOTICE },
  ),
})
type WorkItemRecord = Static<typeof WorkItemRecord>

function toRecord(item: Schemas['WorkItem']): WorkItemRecord {
  const { id, state, outcome, snoozed_until, act_now, account, events, factors, person, missing } = item
  const line = (value: string | null | undefined) => (value ? singleLine(value, MAX_CHARS) : null)
  return {
    ...{ id, state, outcome, snoozed_until, act_now },
    account: {
      ...{ id: account.id, name: singleLine(account.name, 120), domain: account.domain, score: account.score },
      relationship: account.relationship,
    },
    person: person && { id: person.id, name: singleLine(person.full_name, 120), email: person.email },
    quoted: {
      why_now: line(events[0]?.headline) ?? '',
      reasons: factors.map(({ why, points }) => `${points > 0 ? '+' : ''}${points}: ${line(why)}`),
      person_title: line(person?.title),
      missing: line(missing),
      source_url: events[0]?.source_url ?? null,
    },
  }
}

function format({ id, act_now, account, person, quoted }: WorkItemRecord): string {
  const { why_now, reasons, person_title, missing, source_url } = quoted
  const title = person_title ? `, ${quoteName(person_title)}` : ''
  return [
    `**${act_now}** ${quoteName(account.name)} (account ${account.id}, work item ${id})`,
    blockQuote(why_now, source_url),
    person
      ? `Contact: ${quoteName(person.name)}${title}, ${person.email ?? `no email: ${quoteName(missing ?? '', MAX_CHARS)}`}`
      : `Contact: ${quoteName(missing ?? 'no contact yet', MAX_CHARS)}`,
    'Why this place:',
    blockQuote(reasons.join('\n')),
  ].join('\n')
}

export const whomToContactTool = defineTool({
  name: 'whom_to_contact',
  title: 'Whom to contact now',
  description:
    'Lists the accounts that need action, the most urgent first, each with the reason, the person to write to with a verified email or what is missing, and the source. By default the accounts of the person you work for, then accounts without an owner. Use it to plan a day. Free.',
  input: ToolArguments(
    {
      view: Type.Optional(
        Type.String({
          enum: ['queue', 'mine', 'unowned', 'all', 'suggested'],
          default: 'queue',
          description: 'queue: own accounts, then those without an owner; all: every active account',
        }),
      ),
      state: Type.Optional(Type.String({ enum: ['open', 'snoozed', 'done'], default: 'open' })),
      relationship: relationshipArgument,
      ...pagingArguments(10, 30),
    },
    { view: 'mine' },
  ),
  output: ClosedObject({
    work_items: Type.Array(WorkItemRecord),
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    has_more: Type.Boolean(),
  }),
  annotations: READ_ONLY,
  async run(client, { view, state, relationship, page, limit: per_page }) {
    const filters = {
      view: view as 'queue',
      state: state as 'open',
      relationship: relationship?.join(',') || undefined,
    }
    const query = { ...filters, page, per_page }
    const { data, pagination } = await client.get('/v1/work-items', { query })
    const { total, has_more } = pagination
    return { work_items: data.map(toRecord), total, page, limit: per_page, has_more }
  },
  text({ work_items, total, page, limit }) {
    if (work_items.length === 0)
      return total > 0 ? `No page ${page}: there are ${total}.` : 'All caught up: there is no open work item.'
    const more = formatRemaining({ total, page, shown: work_items.length, perPage: limit })
    return `${total} to contact. ${UNTRUSTED_NOTICE}\n\n${work_items.map(format).join('\n\n')}${more}`
  },
})

export const closeWorkItemTool = defineTool({
  name: 'close_work_item',
  title: 'Mark as done or snooze',
  description:
    'Marks the open work item of an account as done (contacted, not_relevant, or wrong when the finding is not true), or snoozes it until a day. Only after the person said so: "wrong" also hides the finding for the whole team. Free; it can be reopened in the console.',
  input: ToolArguments(
    {
      account: Type.String({ minLength: 1, maxLength: 300, description: 'Id, domain or exact name of the account' }),
      outcome: Type.Optional(Type.String({ enum: ['contacted', 'not_relevant', 'wrong'] })),
      snooze_until: Type.Optional(
        Type.String({
          pattern: '^\\d{4}-\\d{2}-\\d{2}$',
          description: 'A day such as 2026-12-01, instead of `outcome`',
        }),
      ),
      note: Type.Optional(Type.String({ maxLength: 2_000, description: 'For the timeline of the account' })),
    },
    { account: 'northwind.example', outcome: 'contacted', note: 'Left a message.' },
  ),
  output: WorkItemRecord,
  annotations: { ...ADDITIVE, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(client, { account, outcome, snooze_until: until, note }) {
    if ((outcome === undefined) === (until === undefined))
      throw new ToolError('Give either `outcome` or `snooze_until`.')
    const account_id = await resolveAccountId(client, account, LOOKUP)
    const read = async (view: 'all' | 'suggested') =>
      (await client.get('/v1/work-items', { query: { account_id, view, state: 'open', per_page: 1 } })).data[0]
    const item = (await read('all')) ?? (await read('suggested'))
    if (!item) throw new ToolError(`${quoteName(account)} has no open work item.`)
    const path = { id: item.id }
    return toRecord(
      until === undefined
        ? await client.post('/v1/work-items/{id}/done', {
            path,
            body: { outcome: outcome as 'contacted', note: note ?? null },
          })
        : await client.post('/v1/work-items/{id}/snooze', { path, body: { until, note: note ?? null } }),
    )
  },
  text({ account, state, outcome, snoozed_until, quoted }) {
    if (state === 'done') return `${quoteName(account.name)} is done (${outcome}).`
    if (state === 'snoozed') return `${quoteName(account.name)} is snoozed until ${snoozed_until}.`
    return `The finding is hidden. ${quoteName(account.name)} is still open: ${quoteName(quoted.why_now, MAX_CHARS)}`
  },
})
