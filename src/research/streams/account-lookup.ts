import type { Db } from '../../db/connect.ts'
import type { AccountLookup } from '../../providers/streams/types.ts'
import { listRegisteredCompanies } from './store.ts'

/** Finds active accounts of all workspaces, for streams that keep only items about them. */
export function createAccountLookup(db: Db): AccountLookup {
  return {
    async registered(register, ids) {
      const byId = Map.groupBy(await listRegisteredCompanies(db, register, ids), ({ id }) => id)
      return new Map([...byId].map(([id, found]) => [id, found.map(({ name, domain }) => ({ name, domain }))]))
    },
  }
}
