import type { Db } from '../../db/connect.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import { searchFold } from '../../engine/text/fold.ts'
import type { AccountLookup } from '../../providers/streams/types.ts'
import { findAccountKeys, listRegisteredCompanies } from './match-store.ts'

/** The names of one query; their keys are computed on this thread, which yields to others in between. */
const BATCH = 1_000

/** Looks up active accounts of all workspaces while a stream is read. */
export function createAccountLookup(db: Db): AccountLookup {
  return {
    async named(companyNames) {
      const found = new Set<string>()
      const names = [...new Set(companyNames)]
      for (let from = 0; from < names.length; from += BATCH) {
        const byKey = Map.groupBy(names.slice(from, from + BATCH), (name) => companyKey(searchFold(name)))
        byKey.delete('')
        for (const key of await findAccountKeys(db, [...byKey.keys()])) {
          for (const name of byKey.get(key) ?? []) found.add(name)
        }
      }
      return found
    },
    async registered(register, ids) {
      return new Map((await listRegisteredCompanies(db, register, ids)).map(({ id, name }) => [id, name]))
    },
  }
}
