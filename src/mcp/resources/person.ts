import { formatPerson, toPersonRecord as shown } from '../records/person.ts'
import { blockQuote, singleLine, UNTRUSTED_NOTICE } from '../shared/quoted.ts'
import { MAX_LISTED, parseUriTemplate, type ResourceDefinition } from './define.ts'

export const personResource: ResourceDefinition = {
  name: 'person',
  title: 'Person',
  description: 'A person at an account, as far as you see them: role, verified email, where they are named.',
  uri: parseUriTemplate('bellwether://people/{id}'),
  async read(client, id) {
    const one = await client.get('/v1/people/{id}', { path: { id } })
    const before = one.title_history.map(({ title, until }) => `${singleLine(title, 100)} until ${until}`)
    const facts = [
      one.location && `Location: ${singleLine(one.location, 100)}`,
      one.phone && `Phone: ${one.phone}`,
      before.length > 0 && `Before: ${before.join('; ')}`,
      (one.found_url ?? one.network_url) && `Source: ${singleLine(one.found_url ?? one.network_url ?? '', 500)}`,
    ].filter((fact) => typeof fact === 'string')
    return [UNTRUSTED_NOTICE, formatPerson(shown(one)), ...facts.map((fact) => blockQuote(fact))].join('\n')
  },
  async list(client) {
    const { data } = await client.get('/v1/people', { query: { per_page: MAX_LISTED } })
    return data.map(({ id, full_name, title, account_name }) => ({
      uri: `bellwether://people/${id}`,
      name: singleLine(full_name, 120),
      description: singleLine(`${title ?? 'No title'} at ${account_name}`, 200),
    }))
  },
  /** Ids, the only thing that names a person for certain, of those whose name or title was typed. */
  async complete(client, typed) {
    const { data } = await client.get('/v1/people', { query: { search: typed.slice(0, 300), per_page: MAX_LISTED } })
    return data.map(({ id }) => id)
  },
}
