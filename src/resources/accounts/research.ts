import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { getSubscription } from '../subscription/store.ts'
import { notActive } from './activate.ts'
import { getAccount } from './store.ts'

type Parts = Pick<Deps, 'db'>

/** Checks that an account may be scanned. Throws not_found, subscription_required, and unavailable: no source is set up yet. */
export async function scan({ db }: Parts, workspaceId: string, id: string): Promise<never> {
  await getAccount(db, workspaceId, id)
  const { status } = await getSubscription(db, workspaceId)
  if (status !== 'active')
    throw new AppError('subscription_required', 'Scanning an account needs an active subscription.')
  throw new AppError('unavailable', 'This version has no source to research accounts with yet. Nothing was started.')
}

/** Checks that an account may be enriched. Throws not_found, account_not_active, and unavailable: no source is set up yet. */
export async function enrich({ db }: Parts, workspaceId: string, id: string): Promise<never> {
  if ((await getAccount(db, workspaceId, id)).status !== 'active') throw notActive()
  throw new AppError('unavailable', 'This version has no source to enrich accounts with yet. Nothing was changed.')
}
