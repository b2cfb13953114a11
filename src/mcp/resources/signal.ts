import type { Schemas } from '@bellwether/client'
import { quoteName, singleLine } from '../shared/quoted.ts'
import { findSignals } from '../shared/resolve.ts'
import { parseUriTemplate, type ResourceDefinition } from './define.ts'

const shown = ({ id, name, description, enabled, findings_30d }: Schemas['Signal']) =>
  `- \`${id}\` ${quoteName(name)}${enabled ? '' : ' (switched off)'}, found ${findings_30d} times in 30 days: ${singleLine(description, 300)}`

export const signalCatalogueResource: ResourceDefinition = {
  name: 'signals',
  title: 'Signal catalogue',
  description: 'Every signal that is looked for: ids for discover and whats_new, and what each means.',
  uri: 'bellwether://signals',
  read: async (client) => ['# Signals', ...(await client.get('/v1/signals')).map(shown)].join('\n'),
}

export const signalResource: ResourceDefinition = {
  name: 'signal',
  title: 'Signal',
  description: 'One signal: what it means and how often it was found.',
  uri: parseUriTemplate('bellwether://signals/{id}'),
  async read(client, asked) {
    const [id = ''] = await findSignals(client, [asked])
    return shown(await client.get('/v1/signals/{id}', { path: { id } }))
  },
  async complete(client, typed) {
    const signals = await client.get('/v1/signals')
    const wanted = typed.toLowerCase()
    return signals
      .filter(({ id, name }) => id.includes(wanted) || name.toLowerCase().includes(wanted))
      .map(({ id }) => id)
  },
}
