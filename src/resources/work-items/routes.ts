import { op, type Routes } from '../../http/operation.ts'
import { clampPage, IdParams, toPage } from '../../http/schema.ts'
import { viewerOf } from '../../shared/member.ts'
import { mayClaimAccounts } from '../accounts/own.ts'
import { getAccount } from '../accounts/store.ts'
import { listActivities } from './activity-store.ts'
import { AccountActivity, ActivitiesQuery, WorkItem, WorkItemsQuery } from './schema.ts'
import { getWorkItem, listWorkItems } from './store.ts'

export const workItemRoutes: Routes = (app, { db }) => {
  app.get(
    '/work-items',
    op('listWorkItems', {
      tag: 'Work items',
      summary: 'List whom to contact, the most urgent first',
      description:
        'An account with new findings or job changes has one work item until it is done. A member with scoped visibility gets only items of their own accounts.',
      query: WorkItemsQuery,
      page: WorkItem,
      extension: true,
    }),
    async ({ member, query }) => {
      const { view = 'queue', state = 'open', ...asked } = query
      const request = clampPage({ ...asked, view, state })
      const sees_suggestions = view === 'suggested' && (await mayClaimAccounts(db, member))
      const reader = { viewer: viewerOf(member), member_id: member.id, sees_suggestions }
      const { rows, total } = await listWorkItems(db, reader, request)
      return toPage(rows, total, request)
    },
  )

  app.get(
    '/work-items/:id',
    op('getWorkItem', {
      tag: 'Work items',
      summary: 'Read a work item',
      params: IdParams,
      data: WorkItem,
      extension: true,
    }),
    (req) => getWorkItem(db, viewerOf(req.member), req.params.id),
  )

  app.get(
    '/accounts/:id/activities',
    op('listActivities', {
      tag: 'Work items',
      summary: 'List what the team did at an account, newest first',
      description: 'Pushes, copied drafts, emails, calls, replies, revealed contacts and the states of its work items.',
      params: IdParams,
      query: ActivitiesQuery,
      page: AccountActivity,
      extension: true,
    }),
    async ({ member, params, query }) => {
      const request = clampPage(query)
      await getAccount(db, member.workspace_id, params.id)
      const { rows, total } = await listActivities(db, viewerOf(member), params.id, request)
      return toPage(rows, total, request)
    },
  )
}
