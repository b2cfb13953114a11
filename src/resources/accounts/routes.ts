import { Type } from 'typebox'
import { sendCsv, wantsCsv } from '../../http/csv.ts'
import { invalidRequest } from '../../http/errors.ts'
import { op, type Routes } from '../../http/operation.ts'
import { sendPage, sendRecord } from '../../http/page.ts'
import { clampPage, IdParams } from '../../http/schema.ts'
import { AppError } from '../../shared/errors.ts'
import { isScoped, type Member, viewerOf } from '../../shared/member.ts'
import { readMonitorEvents } from './activity.ts'
import { explainScore } from './assessment-store.ts'
import { createAccounts } from './create.ts'
import { AccountCrm } from './crm-schema.ts'
import { readAccountCrm } from './crm-store.ts'
import { readHiringCurve } from './hiring.ts'
import { HiringCurve } from './hiring-schema.ts'
import { listAccountIds, listAccounts, streamAccounts } from './list-store.ts'
import { ownAccount } from './own.ts'
import * as schema from './schema.ts'
import { getAccount, LIST_COLUMNS, readAccountJson } from './store.ts'
import { withSeenReason } from './suggestion-store.ts'
import { addTags, removeTags } from './tags.ts'

const tag = 'Accounts'

type Attached = { body: schema.NewAccount | schema.NewAccount[]; validationError?: ValidationError }
type ValidationError = { validation: Parameters<typeof invalidRequest>[0]; validationContext?: string }

/**
 * The accounts of a request; those of a list that its schema rejects are errors. Throws the errors of the request
 * itself.
 */
function validRows({ body, validationError: found }: Attached): (schema.NewAccount | AppError)[] {
  if (!found) return [body].flat()
  const { validation, validationContext = 'body' } = found
  // The failed branch of the schema repeats its errors.
  const errors = validation.filter(({ keyword }) => keyword !== 'if')
  const indexOf = ({ instancePath }: (typeof errors)[number]) => /^\/(\d+)/.exec(instancePath)?.[1]
  if (!Array.isArray(body) || validationContext !== 'body' || !errors.every(indexOf))
    throw invalidRequest(validation, validationContext)
  const byRow = Map.groupBy(errors, (error) => Number(indexOf(error)))
  return body.map((row, at) => {
    const wrong = byRow.get(at)
    return wrong ? invalidRequest(wrong, 'body') : row
  })
}

const refusedRow = ({ code, message, details = [] }: AppError) => ({ error: { code, message, details } })
const params = IdParams
const data = schema.Account

export const accountRoutes: Routes = (app, deps) => {
  const { db, lists } = deps
  /** The account as the member may read it. */
  const seen = async <A extends Parameters<typeof withSeenReason>[2]>(member: Member, account: A | Promise<A>) =>
    withSeenReason(db, viewerOf(member), await account)

  app.get(
    '/accounts',
    op('listAccounts', {
      tag,
      summary: 'List accounts, highest score first',
      query: schema.AccountsQuery,
      page: schema.ListedAccount,
      etag: true,
      csv: true,
    }),
    (req, reply) => {
      const { workspace_id } = req.member
      if (wantsCsv(req))
        return sendCsv(reply, 'accounts', LIST_COLUMNS, streamAccounts(db, workspace_id, req.query)) as never
      return sendPage(req, reply, lists, (reader) => listAccounts(db, workspace_id, clampPage(req.query), reader))
    },
  )

  app.post(
    '/accounts',
    {
      ...op('createAccounts', {
        tag,
        summary: 'Add one account or up to 500',
        description:
          '201 when at least one account is new, 200 when all existed. A list is stored as a whole or not at all, unless `partial` is true; an error names the account by its index, as in `3.domain`.',
        query: schema.CreateQuery,
        body: schema.CreateAccounts,
        data: Type.Unsafe<object>({ ...schema.CreatedOneOrMany }),
        status: [201, 200],
        errors: ['unknown_member'],
      }),
      // An invalid account must not fail the others of a `partial` request.
      attachValidation: true,
    },
    async (req, reply) => {
      const isList = Array.isArray(req.body)
      // Still a string when the body is invalid, because the query is validated after it.
      const options = { isList, partial: /^(?:true|1)$/i.test(String(req.query.partial)) }
      const created = await createAccounts(deps, req.member.workspace_id, validRows(req), options)
      const answers = await Promise.all(
        created.map((one) => (one instanceof AppError ? refusedRow(one) : seen(req.member, one))),
      )
      reply.code(answers.some((one) => 'created' in one && one.created) ? 201 : 200)
      return isList ? answers : (answers[0] as object)
    },
  )

  app.get(
    '/accounts/ids',
    op('listAccountIds', {
      tag,
      summary: 'List the ids of all matching accounts',
      description: `For bulk actions: the filters and orders of GET /accounts, with up to ${schema.MAX_IDS} ids in one response.`,
      query: schema.AccountsFilter,
      data: schema.AccountIds,
      extension: true,
    }),
    (req) => listAccountIds(db, req.member.workspace_id, req.query, lists),
  )

  app.get(
    '/accounts/export',
    op('exportAccounts', {
      tag,
      summary: 'Export all matching accounts as CSV',
      description: 'The filters and orders of GET /accounts, with all matching accounts.',
      query: schema.AccountsFilter,
      page: schema.ListedAccount,
      csv: 'only',
      extension: true,
    }),
    (req, reply) =>
      sendCsv(reply, 'accounts', LIST_COLUMNS, streamAccounts(db, req.member.workspace_id, req.query)) as never,
  )

  app.get(
    '/accounts/:id',
    op('getAccount', { tag, summary: 'Read an account in full', params, data }),
    ({ member, params: { id } }, reply) => {
      const { workspace_id } = member
      return isScoped(member)
        ? seen(member, getAccount(db, workspace_id, id))
        : sendRecord(reply, 'account', readAccountJson(db, workspace_id, id))
    },
  )

  app.post(
    '/accounts/:id/tags',
    op('addAccountTags', {
      tag,
      summary: 'Add tags',
      params,
      body: schema.Tags,
      data: schema.TagsAnswer,
      allow: ownAccount,
    }),
    (req) => addTags(deps, req.member, req.params.id, req.body.tags),
  )

  app.delete(
    '/accounts/:id/tags',
    op('removeAccountTags', {
      tag,
      summary: 'Remove tags',
      params,
      body: schema.Tags,
      data: schema.TagsAnswer,
      example: { tags: [] },
    }),
    (req) => removeTags(deps, req.member, req.params.id, req.body.tags),
  )

  app.get(
    '/accounts/:id/score',
    op('explainAccountScore', {
      tag,
      summary: 'Explain the components of the score',
      params,
      data: schema.ScoreExplanation,
      extension: true,
    }),
    (req) => explainScore(db, req.member.workspace_id, req.params.id),
  )

  app.get(
    '/accounts/:id/crm',
    op('getAccountCrm', {
      tag,
      summary: 'Read what your CRM knows about the account',
      description:
        'The relationship, the deals, the contacts and the values of fields. A member with scoped visibility gets only contacts whom they may see.',
      params,
      data: AccountCrm,
      extension: true,
    }),
    (req) => readAccountCrm(db, viewerOf(req.member), req.params.id),
  )

  app.get(
    '/accounts/:id/hiring',
    op('getAccountHiring', {
      tag,
      summary: 'Read the number of open positions of the account by week',
      description:
        'Counted by scans that read all job boards of the company completely; a week without one has no point. When the company changes its boards, the curve starts again.',
      params,
      data: HiringCurve,
      extension: true,
    }),
    (req) => readHiringCurve(db, req.member.workspace_id, req.params.id),
  )

  app.get(
    '/accounts/:id/monitor-events',
    op('listMonitorEvents', {
      tag,
      summary: 'List the monitor events of the account, newest first',
      description:
        'Meaningful changes and failures. Checks without new content are included only with `all` or `meaningful=false`.',
      params,
      query: schema.EventsQuery,
      page: schema.MonitorEvent,
    }),
    (req) => readMonitorEvents(db, req.member.workspace_id, req.params.id, req.query),
  )
}
