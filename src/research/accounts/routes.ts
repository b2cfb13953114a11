import { op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted, IdParams } from '../../http/schema.ts'
import { ownAccount } from '../../resources/accounts/own.ts'
import * as schema from '../../resources/accounts/schema.ts'
import { withSeenReason } from '../../resources/accounts/suggestion-store.ts'
import { type Member, viewerOf } from '../../shared/member.ts'
import { enrich } from '../enrich.ts'
import { requestScan } from '../scan/scan.ts'
import { activate, deactivate, listLimitations, reject } from './activate.ts'
import { applyBulkAction } from './bulk.ts'
import { deleteAccount, updateAccount } from './update.ts'

const tag = 'Accounts'
const params = IdParams
const data = schema.Account

/** The operations on accounts that start or stop research. */
export const accountResearchRoutes: Routes = (app, deps) => {
  const seen = async <A extends Parameters<typeof withSeenReason>[2]>(member: Member, account: A | Promise<A>) =>
    withSeenReason(deps.db, viewerOf(member), await account)

  app.post(
    '/accounts/bulk',
    op('bulkAccounts', {
      tag,
      summary: 'Apply one action to up to 500 accounts',
      description:
        'The rules of the operation on a single account apply to each: access rights, states and credits. A refused account is listed with its error and does not affect the others. `before` has the former values, to revert the action: deactivate reverts activate (the credit stays used), suggest reverts reject, untag reverts tag, owner reverts owner.',
      body: schema.BulkAccounts,
      data: schema.BulkDone,
      errors: ['unknown_member'],
      extension: true,
      recorded: { action: 'value', owner_id: 'value', ids: 'ids' },
    }),
    (req) => applyBulkAction(deps, req.member, req.body),
  )

  app.patch(
    '/accounts/:id',
    op('updateAccount', {
      tag,
      summary: 'Change an account',
      params,
      body: schema.UpdateAccount,
      data,
      errors: ['domain_taken', 'unknown_member', 'invalid_transition'],
    }),
    (req) => seen(req.member, updateAccount(deps, req.member, req.params.id, req.body)),
  )

  app.delete(
    '/accounts/:id',
    op('deleteAccount', { tag, summary: 'Delete an account and all its data', params, data: Deleted }),
    async (req) => {
      await deleteAccount(deps, req.member, req.params.id)
      return deleted(req.params.id)
    },
  )

  app.post(
    '/accounts/:id/activate',
    op('activateAccount', {
      tag,
      summary: 'Activate an account that is suggested, new or unqualified; takes a credit',
      description:
        'A member with scoped visibility who activates an account without an owner becomes its owner, unless `scoped_members_claim` of GET /settings/workspace is false.',
      params,
      body: schema.Activate,
      data: schema.ActivatedAccount,
      errors: ['subscription_required', 'plan_limit_reached', 'invalid_transition', 'unknown_member'],
    }),
    async (req) => {
      const account = await seen(req.member, activate(deps, req.member, req.params.id, req.body))
      return { ...account, limitations: listLimitations(account) }
    },
  )

  app.post(
    '/accounts/:id/deactivate',
    op('deactivateAccount', {
      tag,
      summary: 'Stop monitoring an account',
      params,
      data,
      example: { status: 'suggested' },
      errors: ['account_not_active'],
      allow: ownAccount,
    }),
    (req) => seen(req.member, deactivate(deps, req.member, req.params.id)),
  )

  app.post(
    '/accounts/:id/reject',
    op('rejectAccount', {
      tag,
      summary: 'Reject a suggested account',
      params,
      data,
      example: { status: 'rejected', activated_at: null },
      errors: ['account_active'],
      allow: ownAccount,
    }),
    (req) => seen(req.member, reject(deps, req.member, req.params.id)),
  )

  app.post(
    '/accounts/:id/scan',
    op('scanAccount', {
      tag,
      summary: 'Start a scan of an account',
      params,
      data: schema.ScanStarted,
      status: [202],
      errors: ['subscription_required', 'no_active_signal'],
      allow: ownAccount,
    }),
    (req) => requestScan(deps, req.member.workspace_id, req.params.id),
  )

  app.post(
    '/accounts/:id/enrich',
    op('enrichAccount', {
      tag,
      summary: 'Update the profile of an active account from the sources',
      params,
      data: schema.EnrichedAccount,
      errors: ['account_not_active', 'unavailable'],
      allow: ownAccount,
    }),
    (req) => seen(req.member, enrich(deps, req.member.workspace_id, req.params.id)),
  )

  app.put(
    '/accounts/:id/owner',
    op('setAccountOwner', {
      tag,
      summary: 'Assign an owner, or none',
      params,
      body: schema.SetOwner,
      data: schema.OwnerAnswer,
      errors: ['unknown_member'],
    }),
    async (req) => {
      const { id, owner_id } = await updateAccount(deps, req.member, req.params.id, { owner_id: req.body.owner_id })
      return { id, owner_id }
    },
  )
}
