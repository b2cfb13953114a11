import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import { notActive } from '../accounts/not-active.ts'
import { getAccount } from '../accounts/store.ts'
import { findAccountStates, getPerson } from './store.ts'
import type { Viewer } from './visibility.ts'

type Parts = Pick<Deps, 'db'>

const noSource = (what: string) =>
  new AppError('unavailable', `This version has no source to ${what} yet. Nothing was looked up or changed.`)

/** Checks which accounts may be searched. Throws account_not_searchable naming the others, and unavailable. */
export async function find({ db }: Parts, viewer: Viewer, { account_ids }: { account_ids?: string[] }): Promise<never> {
  if (account_ids) {
    const states = await findAccountStates(db, viewer.workspace_id, account_ids.filter(isId))
    const searchable = new Set(
      states
        .filter(
          ({ status, owner_id }) => status === 'active' && (viewer.scoped_to === null || owner_id === viewer.scoped_to),
        )
        .map(({ id }) => id),
    )
    const others = [...new Set(account_ids)].filter((id) => !searchable.has(id.toLowerCase()))
    if (others.length > 0) {
      throw new AppError(
        'account_not_searchable',
        'Some accounts cannot be searched: they are not active, or not there for you.',
        {
          details: others.slice(0, 100).map((id) => ({ path: 'account_ids', message: id })),
        },
      )
    }
  }
  throw noSource('find people')
}

/** Throws not_found, account_not_active, and unavailable. */
export async function sync({ db }: Parts, { workspace_id }: Viewer, accountId: string): Promise<never> {
  if (!isId(accountId)) throw new AppError('not_found', 'No such account in this workspace.')
  if ((await getAccount(db, workspace_id, accountId)).status !== 'active') throw notActive()
  throw noSource('load a roster')
}

/** A known email is answered as it is. Throws not_found, and unavailable where a lookup would be needed. */
export async function revealEmail({ db }: Parts, viewer: Viewer, id: string) {
  const { email } = await getPerson(db, viewer, id)
  if (email === null) throw noSource('look up email addresses')
  return { id, email }
}

/** A known phone number is answered as it is. Throws not_found, and unavailable where a lookup would be needed. */
export async function revealPhone({ db }: Parts, viewer: Viewer, id: string) {
  const { phone } = await getPerson(db, viewer, id)
  if (phone === null) throw noSource('look up phone numbers')
  return { id, phone }
}
