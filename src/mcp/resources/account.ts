import type { Bellwether } from '@bellwether/client'
import { formatAccountReport, readAccountReport } from '../records/account.ts'
import { singleLine } from '../shared/quoted.ts'
import { MAX_LISTED, parseUriTemplate, type ResourceDefinition } from './define.ts'

export const accountResource: ResourceDefinition = {
  name: 'account',
  title: 'Account',
  description: 'An account with its score, its signals with evidence and its drafts. The id may be its domain.',
  uri: parseUriTemplate('bellwether://accounts/{id}'),
  read: async (client, id) => formatAccountReport(await readAccountReport(client, id, { full: true })),
  async list(client) {
    const { data } = await client.get('/v1/accounts', { query: { per_page: MAX_LISTED } })
    return data.map(({ id, name, domain, score, status }) => ({
      uri: `bellwether://accounts/${id}`,
      name: domain ?? id,
      title: singleLine(name, 120),
      description: `Score ${score}, ${status}`,
    }))
  },
  complete: completeAccount,
}

/** Domains, which a person knows; ids of accounts that have none. */
export async function completeAccount(client: Bellwether, typed: string): Promise<string[]> {
  const { data } = await client.get('/v1/accounts', { query: { search: typed.slice(0, 300), per_page: MAX_LISTED } })
  return data.map(({ domain, id }) => domain ?? id)
}
