import type { Bellwether } from '@bellwether/client'
import { accountText, readAccount } from '../records/account.ts'
import { line } from '../shared/quoted.ts'
import { FEW, type Resource, template } from './define.ts'

export const account: Resource = {
  name: 'account',
  title: 'Account',
  description: 'An account with its score, its signals with evidence and its drafts. The id may be its domain.',
  uri: template('bellwether://accounts/{id}'),
  read: async (client, id) => accountText(await readAccount(client, id, { full: true })),
  async list(client) {
    const { data } = await client.get('/v1/accounts', { query: { per_page: FEW } })
    return data.map(({ id, name, domain, score, status }) => ({
      uri: `bellwether://accounts/${id}`,
      name: domain ?? id,
      title: line(name, 120),
      description: `Score ${score}, ${status}`,
    }))
  },
  complete: completeAccount,
}

/** Domains, which a person knows; ids of accounts that have none. */
export async function completeAccount(client: Bellwether, typed: string): Promise<string[]> {
  const { data } = await client.get('/v1/accounts', { query: { search: typed.slice(0, 300), per_page: FEW } })
  return data.map(({ domain, id }) => domain ?? id)
}
