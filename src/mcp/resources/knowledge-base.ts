import { sectionText } from '../records/section.ts'
import { line } from '../shared/quoted.ts'
import { findSection } from '../shared/resolve.ts'
import { FEW, type Resource, template } from './define.ts'

export const knowledgeSection: Resource = {
  name: 'knowledge-base-section',
  title: 'Section of the knowledge base',
  description: 'What the team says about itself: what it sells, to whom and why.',
  uri: template('bellwether://knowledge-base/{id}'),
  read: async (client, id) => sectionText(await findSection(client, id)),
  async list(client) {
    const sections = await client.get('/v1/knowledge-base')
    return sections.slice(0, FEW).map(({ id, title, type }) => ({
      uri: `bellwether://knowledge-base/${id}`,
      name: line(title, 120),
      description: line(type, 60),
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
