import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted, IdParams } from '../../http/schema.ts'
import { notFound } from '../../shared/errors.ts'
import { CreateServiceAccount, ServiceAccount } from './schema.ts'
import { deleteServiceAccountRow, insertServiceAccount, listServiceAccounts } from './store.ts'

const tag = 'API keys'

export const serviceAccountRoutes: Routes = (app, { db, keys }) => {
  app.get(
    '/service-accounts',
    op('listServiceAccounts', {
      tag,
      summary: 'List the service accounts',
      data: Type.Array(ServiceAccount),
      extension: true,
    }),
    (req) => listServiceAccounts(db, req.member.workspace_id),
  )

  app.post(
    '/service-accounts',
    op('createServiceAccount', {
      tag,
      summary: 'Create a service account for an integration',
      description:
        'It is no member: it has no email address, owns no accounts, receives no alerts and cannot sign in. Create a key for it with `POST /api-keys`; the scope of the key is what it may do.',
      body: CreateServiceAccount,
      data: ServiceAccount,
      example: { keys: 0, last_used_at: null },
      status: [201],
      admin: true,
      extension: true,
    }),
    (req) => insertServiceAccount(db, req.member.workspace_id, req.body.name),
  )

  app.delete(
    '/service-accounts/:id',
    op('deleteServiceAccount', {
      tag,
      summary: 'Remove a service account and its keys',
      params: IdParams,
      data: Deleted,
      admin: true,
      extension: true,
    }),
    async (req) => {
      if (!(await deleteServiceAccountRow(db, req.member.workspace_id, req.params.id)))
        throw notFound('service account')
      keys.forget()
      return deleted(req.params.id)
    },
  )
}
