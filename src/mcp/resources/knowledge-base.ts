import { formatSection } from '../records/section.ts'
import { singleLine } from '../shared/quoted.ts'
import { findSection } from '../shared/resolve.ts'
import { MAX_LISTED, parseUriTemplate, type ResourceDefinition } from './define.ts'

export const knowledgeSectionResource: ResourceDefinition = {
  name: 'knowledge-base-section',
  title: 'Section of the knowledge base',
  description: 'What the team says about itself: what it sells, to whom and why.',
  uri: parseUriTemplate('bellwether://knowledge-base/{id}'),
  read: async (client, id) => formatSection(await findSection(client, id)),
  async list(client) {
    const sections = await client.get('/v1/knowledge-base')
    return sections.slice(0, MAX_LISTED).map(({ id, title, type }) => ({
      uri: `bellwether://knowledge-base/${id}`,
      name: singleLine(title, 120),
      description: singleLine(type, 60),
    }))
  },
  async complete(client, typed) {
    const sections = await client.get('/v1/knowledge-base')
    const wanted = typed.toLowerCase()
    const fits = ({ id, title, type }: (typeof sections)[number]) =>
      id.startsWith(wanted) || [title, type].some((text) => text.toLowerCase().includes(wanted))
    return sections.filter(fits).map(({ id }) => id)
  },
}
