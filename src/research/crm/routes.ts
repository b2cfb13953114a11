import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import {
  Connection,
  ConnectWithToken,
  Disconnected,
  DisconnectQuery,
  ProviderParams,
} from '../../resources/connections/schema.ts'
import { AccountPreview, CrmParams, CrmSync, UpdateCrmSync } from '../../resources/crm-sync/schema.ts'
import { connectAndRead, disconnect } from './connect.ts'
import { countByRule } from './rule-store.ts'
import { changeSync, describeSyncs, resync } from './settings.ts'

const common = { tag: 'Integrations', admin: true, extension: true } as const

/** The operations that read a CRM, and those that begin or end it. */
export const crmSyncRoutes: Routes = (app, deps) => {
  app.post(
    '/connections',
    op('connect', {
      ...common,
      summary: 'Connect a CRM or the chat with a token',
      body: ConnectWithToken,
      data: Connection,
      status: [201],
      errors: ['credential_rejected'],
    }),
    (req) => connectAndRead(deps, req.member.workspace_id, req.body.provider, req.body),
  )

  app.delete(
    '/connections/:provider',
    op('disconnect', {
      ...common,
      summary: 'Disconnect',
      params: ProviderParams,
      query: DisconnectQuery,
      data: Disconnected,
    }),
    (req) => disconnect(deps, req.member.workspace_id, req.params.provider, req.query.records),
  )

  app.get(
    '/crm/sync',
    op('listCrmSyncs', {
      ...common,
      admin: false,
      summary: 'Show what was read from the CRMs, and when',
      data: Type.Array(CrmSync),
    }),
    (req) => describeSyncs(deps, req.member.workspace_id),
  )

  app.patch(
    '/crm/sync/:provider',
    op('updateCrmSync', {
      ...common,
      summary: 'Change how a CRM is read',
      description:
        'Only the given settings change; of `field_sources` only the given fields. A rule adds accounts with the next run, which starts at once.',
      params: CrmParams,
      body: UpdateCrmSync,
      data: CrmSync,
    }),
    (req) => changeSync(deps, req.member.workspace_id, req.params.provider, req.body),
  )

  app.post(
    '/crm/sync/:provider/resync',
    op('resyncCrm', { ...common, summary: 'Read a CRM from the beginning', params: CrmParams, data: CrmSync }),
    (req) => resync(deps, req.member.workspace_id, req.params.provider),
  )

  app.get(
    '/crm/sync/:provider/account-preview',
    op('previewCrmAccounts', {
      ...common,
      summary: 'Count the accounts that each rule would add',
      params: CrmParams,
      data: AccountPreview,
    }),
    (req) => countByRule(deps.db, { workspace_id: req.member.workspace_id, provider: req.params.provider }),
  )
}
