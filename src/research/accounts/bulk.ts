import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { mayClaimAccounts, ownerOnActivation, requireOwn } from '../../resources/accounts/own.ts'
import type { BulkAccounts } from '../../resources/accounts/schema.ts'
import {
  type LockedAccount,
  lockAccounts,
  markInactive,
  pinStatus,
  undecidedStatus,
  updateAccountRows,
  writeTags,
} from '../../resources/accounts/store.ts'
import { mergeTags, withoutTags } from '../../resources/accounts/tags.ts'
import { redraftAccounts } from '../../resources/drafts/redraft.ts'
import { requireMembers } from '../../resources/members/store.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import { isId } from '../../shared/ids.ts'
import { isScoped, type Member } from '../../shared/member.ts'
import { noActiveSignal, requireScanSubscription, startScans } from '../scan/scan.ts'
import {
  activateLocked,
  deactivateLocked,
  requireActivatable,
  requireDeactivatable,
  requireRejectable,
} from './activate.ts'
import { deleteLockedAccounts, requireStatusChange } from './update.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config' | 'now'>
type Action = BulkAccounts['action']

type Refuse = (account: LockedAccount, error: AppError) => void

/** One action on many accounts: the check for each account, and the write for all that pass. */
type Bulk = {
  /** Replaces the rule that members with scoped visibility change only accounts they own. Throws forbidden. */
  checkRight?: (account: LockedAccount) => void
  /** Throws the errors of the operation on a single account, except those of access rights. */
  check?: (account: LockedAccount) => void
  /** Whether the account would change; one that would not counts as done. */
  changes?: (account: LockedAccount) => boolean
  /**
   * Refuses accounts that could not be changed. An error that it throws refuses every account and occurs before any
   * write.
   */
  write: (db: Db, accounts: LockedAccount[], refuse: Refuse) => Promise<void>
}

/**
 * Applies one action to up to 500 accounts, each by the rules of the operation on a single account: a refused account
 * is returned with its error and does not affect the others. The accounts are locked in the order of their ids and
 * written in one transaction. Throws invalid_request for a missing field of the action, unknown_member.
 */
export async function applyBulkAction(parts: Parts, member: Member, asked: BulkAccounts) {
  const workspaceId = member.workspace_id
  const action = await actionOf(parts, member, asked)
  const ids = [...new Set(asked.ids.map((id) => id.toLowerCase()))]
  const checkRight = action.checkRight ?? (({ owner_id }) => requireOwn(member, owner_id))
  const checkOne = (account: LockedAccount) => {
    checkRight(account)
    action.check?.(account)
  }
  return parts.db.transaction().execute(async (db) => {
    const found = new Map((await lockAccounts(db, workspaceId, ids.filter(isId))).map((one) => [one.id, one]))
    const refused = new Map<string, AppError>()
    const passed = ids.flatMap((id) => {
      const account = found.get(id)
      const refusal = account ? refusalOf(() => checkOne(account)) : notFound('account')
      if (refusal) refused.set(id, refusal)
      return account && !refusal ? [account] : []
    })
    const changing = passed.filter((account) => action.changes?.(account) ?? true)
    const refuse: Refuse = ({ id }, error) => refused.set(id, error)
    if (changing.length > 0) {
      await action.write(db, changing, refuse).catch((error) => {
        if (!(error instanceof AppError)) throw error
        for (const account of changing) refuse(account, error)
      })
    }
    return {
      done: ids.length - refused.size,
      results: [...refused].map(([id, { code, message }]) => ({ id, code, message })),
      before: changing
        .filter(({ id }) => !refused.has(id))
        .map(({ id, status, owner_id, tags }) => ({ id, status, owner_id, tags })),
    }
  })
}

function refusalOf(check: () => void): AppError | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

const idsOf = (accounts: LockedAccount[]) => accounts.map(({ id }) => id)

async function actionOf(parts: Parts, member: Member, { action, tags, owner_id }: BulkAccounts): Promise<Bulk> {
  const workspaceId = member.workspace_id
  const retag = (change: (present: string[]) => string[]): Bulk => ({
    check: (account) => void change(account.tags),
    changes: (account) => change(account.tags).length !== account.tags.length,
    write: async (db, accounts) => {
      const rows = accounts.map(({ id, tags }) => ({ id, tags: change(tags) }))
      await writeTags(db, workspaceId, rows)
    },
  })
  switch (action) {
    case 'activate': {
      const canClaim = await mayClaimAccounts(parts.db, member)
      // A member with scoped visibility owns the accounts they activate.
      const owner = isScoped(member) ? member.id : undefined
      return {
        checkRight: (account) => void ownerOnActivation(member, account, undefined, canClaim),
        check: requireActivatable,
        changes: ({ status }) => status !== 'active',
        write: async (db, accounts, refuse) => {
          const { activated, refused } = await activateLocked(parts, db, workspaceId, accounts, owner)
          if (refused) for (const one of accounts) if (!activated.includes(one)) refuse(one, refused)
        },
      }
    }
    case 'deactivate':
      return {
        check: requireDeactivatable,
        write: (db, accounts) => deactivateLocked(db, workspaceId, idsOf(accounts)),
      }
    case 'reject':
      return {
        check: requireRejectable,
        changes: ({ status }) => status !== 'rejected',
        write: (db, accounts) => updateAccountRows(db, workspaceId, idsOf(accounts), { status: 'rejected' }),
      }
    case 'suggest':
      return {
        check: ({ status }) => void (status === 'suggested' || requireStatusChange(status, 'suggested')),
        changes: ({ status, source }) => status !== 'suggested' && status !== undecidedStatus(source),
        write: async (db, accounts) => {
          await markInactive(db, workspaceId, idsOf(accounts))
          await pinStatus(db, workspaceId, idsOf(accounts))
        },
      }
    case 'delete':
      return {
        write: (db, accounts) => deleteLockedAccounts(db, workspaceId, idsOf(accounts)),
      }
    case 'scan':
      return {
        write: async (db, accounts) => {
          await requireScanSubscription(db, workspaceId)
          if (!(await startScans(parts, db, workspaceId, accounts))) throw noActiveSignal()
        },
      }
    case 'tag':
    case 'untag': {
      const given = needed('tags', action, tags)
      return retag((present) => (action === 'tag' ? mergeTags : withoutTags)(present, given))
    }
    case 'owner': {
      const wanted = needed('owner_id', action, owner_id)
      await requireMembers(parts.db, workspaceId, [wanted])
      return {
        changes: (account) => account.owner_id !== wanted,
        write: async (db, accounts) => {
          await updateAccountRows(db, workspaceId, idsOf(accounts), { owner_id: wanted })
          await parts.jobs.enqueue(db, redraftAccounts, { workspace_id: workspaceId, account_ids: idsOf(accounts) })
        },
      }
    }
  }
}

/** Throws invalid_request. */
function needed<T>(path: string, action: Action, value: T | undefined): T {
  if (value !== undefined) return value
  const message = `is required for the action ${action}`
  throw new AppError('invalid_request', `${path} ${message}.`, { details: [{ path, message }] })
}
