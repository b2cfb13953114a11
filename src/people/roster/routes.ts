import type { Static } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { requireOwnAccount } from '../../resources/accounts/own.ts'
import * as schema from '../../resources/people/schema.ts'
import { syncRoster } from './sync.ts'

export const rosterRoutes: Routes = (app, deps) => {
  app.post(
    '/people/sync',
    op('syncPeople', {
      tag: 'People',
      summary: 'Load or refresh the roster of an active account',
      body: schema.SyncPeople,
      data: schema.SyncedPeople,
      errors: ['not_found', 'account_not_active'],
      allow: (deps, { member, body }) =>
        requireOwnAccount(deps.db, member, (body as Static<typeof schema.SyncPeople>).account_id),
    }),
    (req) => syncRoster(deps, req.member.workspace_id, req.body.account_id),
  )
}
