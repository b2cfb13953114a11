import { type Static, Type } from 'typebox'
import { requireExpiryWithin, requireUnrestricted } from '../../http/key-limits.ts'
import { type CheckRights, op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted, IdParams } from '../../http/schema.ts'
import { notFound } from '../../shared/errors.ts'
import { issueKey, requireKnownOperations } from './create.ts'
import { ApiKey, CreateApiKey, CreatedApiKey } from './schema.ts'
import { listKeys, revokeKey } from './store.ts'

const tag = 'API keys'

const allowCreation: CheckRights = async (_deps, { member, body }) => {
  requireUnrestricted(member)
  requireExpiryWithin(member, (body as Static<typeof CreateApiKey>).expires_at ?? null)
}

export const apiKeyRoutes: Routes = (app, deps) => {
  const { db, keys } = deps

  app.get(
    '/api-keys',
    op('listApiKeys', {
      tag,
      summary: 'List the active keys',
      data: Type.Array(ApiKey),
      admin: true,
      extension: true,
    }),
    (req) => listKeys(db, req.member.workspace_id),
  )

  app.post(
    '/api-keys',
    op('createApiKey', {
      tag,
      summary: 'Create a key; it is shown once',
      body: CreateApiKey,
      data: CreatedApiKey,
      example: { last_used_at: null, sessions: 0 },
      status: [201],
      errors: ['unknown_member'],
      admin: true,
      allow: allowCreation,
      extension: true,
    }),
    (req) => {
      requireKnownOperations(app.operationIds, req.body.operations ?? [])
      return issueKey(deps, req.member.workspace_id, { member_id: req.member.id, ...req.body })
    },
  )

  app.delete(
    '/api-keys/:id',
    op('revokeApiKey', { tag, summary: 'Revoke a key', params: IdParams, data: Deleted, admin: true, extension: true }),
    async (req) => {
      if (!(await revokeKey(db, req.member.workspace_id, req.params.id))) throw notFound('API key')
      keys.forget()
      return deleted(req.params.id)
    },
  )
}
