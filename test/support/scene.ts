import { type PersonToSave, savePeople } from '../../src/people/save.ts'
import type { Answer, Client } from './client.ts'
import type { TestService } from './service.ts'

/** The acting member, and the workspace. */
export type Owner = { client: Client; workspaceId: string }

type Plan = {
  /** As in a request body, by domain only, or a number of accounts with any name. */
  accounts?: number | readonly (string | object)[]
  /** Whether the accounts are activated. */
  active?: boolean
  /** At the first account unless they name another. */
  people?: readonly Partial<PersonToSave>[]
  /** The workspace: a new one unless given. */
  owner?: Owner | undefined
}

export type Scene = Awaited<ReturnType<typeof scene>>

let serial = 0
/** A name that is unique in the test file. */
export const unique = (name: string) => `${name}-${++serial}`

/** The maximum number of accounts per request. */
const BATCH = 500

/** The setup of most tests: a workspace with accounts and people. */
export async function scene(
  service: TestService,
  { accounts: wanted = [], active = false, people = [], owner }: Plan = {},
) {
  const { client, workspaceId } = owner ?? (await service.stranger())
  const add = (body: object) => client.expect(201, 'POST', '/v1/accounts', body)
  const domains = typeof wanted === 'number' ? Array.from({ length: wanted }, () => `${unique('acme')}.com`) : wanted
  const fields = domains.map((one) => (typeof one === 'string' ? { name: one.split('.')[0], domain: one } : one))
  const accounts: Answer['data'][] = []
  for (let at = 0; at < fields.length; at += BATCH) accounts.push(...(await add(fields.slice(at, at + BATCH))))
  if (active) for (const { id } of accounts) await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)

  function save(found: readonly Partial<PersonToSave>[], source: 'employee' | 'waterfall' = 'employee') {
    const { db, secrets } = service.deps
    const all = found.map((person) => ({ account_id: accounts[0]?.id, full_name: 'Jo Doe', ...person }))
    return db.transaction().execute((db) => savePeople({ db, secrets }, workspaceId, source, all))
  }

  return {
    client,
    workspaceId,
    accounts,
    ids: accounts.map(({ id }) => id as string),
    id: (domain: string) => accounts.find((account) => account.domain === domain)?.id as string,
    people: people.length > 0 ? await save(people) : [],
    /** Posts one more account, or a list. */
    add,
    /** Stores more people as a source would. Returns them in the order of their identities, not as given. */
    save,
  }
}
