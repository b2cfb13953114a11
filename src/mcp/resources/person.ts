import { personText, person as shown } from '../records/person.ts'
import { line, NOTICE, quote } from '../shared/quoted.ts'
import { FEW, type Resource, template } from './define.ts'

export const person: Resource = {
  name: 'person',
  title: 'Person',
  description: 'A person at an account, as far as you see them: role, verified email, where they are named.',
  uri: template('bellwether://people/{id}'),
  async read(client, id) {
    const one = await client.get('/v1/people/{id}', { path: { id } })
    const before = one.title_history.map(({ title, until }) => `${line(title, 100)} until ${until}`)
    const facts = [
      one.location && `Location: ${line(one.location, 100)}`,
      one.phone && `Phone: ${one.phone}`,
      before.length > 0 && `Before: ${before.join('; ')}`,
      (one.found_url ?? one.network_url) && `Source: ${line(one.found_url ?? one.network_url ?? '', 500)}`,
    ].filter((fact) => typeof fact === 'string')
    return [NOTICE, personText(shown(one)), ...facts.map((fact) => quote(fact))].join('\n')
  },
  async list(client) {
    const { data } = await client.get('/v1/people', { query: { per_page: FEW } })
    return data.map(({ id, full_name, title, account_name }) => ({
      uri: `bellwether://people/${id}`,
      name: line(full_name, 120),
      description: line(`${title ?? 'No title'} at ${account_name}`, 200),
    }))
  },
  /** Ids, the only thing that names a person for certain, of those whose name or title was typed. */
  async complete(client, typed) {
    const { data } = await client.get('/v1/people', { query: { search: typed.slice(0, 300), per_page: FEW } })
    return data.map(({ id }) => id)
  },
}
