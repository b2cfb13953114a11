import { resolveKnowledgeSection } from '@bellwether/client/names'
import { type Static, Type } from 'typebox'
import { OneOf } from '../../http/schema.ts'
import { SectionSummary, toSectionSummary } from '../records/knowledge-base.ts'
import { ToolError } from '../shared/errors.ts'
import { ClosedObject, defineTool, READ_ONLY, ToolArguments } from '../shared/tool.ts'
import { blockQuote, ELLIPSIS, quoteName, UNTRUSTED_NOTICE, visibleText } from '../shared/untrusted-text.ts'

const SECTION_CHARS = 6000
const BEGINNING_CHARS = 200
/** Sections per list. */
const SECTIONS = 25

const Section = ClosedObject({
  section: SectionSummary,
  from_pages: Type.Boolean({ description: `true: drafted from web pages. ${UNTRUSTED_NOTICE}` }),
  content: Type.String({ description: 'Markdown; in a list of sections only the beginning' }),
})

export const readKnowledgeBaseTool = defineTool({
  name: 'read_knowledge_base',
  title: 'Read the knowledge base',
  description:
    'Reads what the team has written about itself: what it sells, to which customers, why, and its competitors. Without a section: all sections with their beginnings. Use it before you write outreach or judge whether an account fits. Free.',
  input: ToolArguments(
    {
      section: Type.Optional(
        Type.String({ minLength: 1, maxLength: 300, description: 'Title or id of one section, to read all of it' }),
      ),
      offset: Type.Integer({
        minimum: 0,
        default: 0,
        description: 'To continue reading: the first character of a section, or the first section of the list',
      }),
    },
    { section: 'Who we sell to' },
  ),
  output: ClosedObject({
    sections: Type.Array(Section),
    next_offset: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Offset of the rest of the section or of the list',
    }),
  }),
  annotations: READ_ONLY,
  async run(client, { section: given, offset }) {
    if (given === undefined) {
      const all = await client.get('/v1/knowledge-base')
      const end = offset + SECTIONS
      const sections = all.slice(offset, end).map((one) => shown(one, visibleText(one.content_md, BEGINNING_CHARS)))
      if (offset > 0 && sections.length === 0)
        throw new ToolError(`There are ${all.length} sections: use a lower offset.`)
      return { sections, next_offset: end < all.length ? end : null }
    }
    const one = await resolveKnowledgeSection(client, given)
    if (offset > 0 && offset >= one.content_md.length)
      throw new ToolError(`The section has ${one.content_md.length} characters: use a lower offset.`)
    const end = offset + SECTION_CHARS
    const part = visibleText(one.content_md.slice(offset, end))
    return { sections: [shown(one, part)], next_offset: end < one.content_md.length ? end : null }
  },
  text({ sections, next_offset }) {
    if (sections.length === 0) return 'The knowledge base is empty. edit_knowledge_base adds sections.'
    const rest = next_offset === null ? '' : `\n\n… (there is more: use offset ${next_offset})`
    const openings = sections.some(
      ({ content, section: { chars } }) => content.endsWith(ELLIPSIS) && content.length < chars,
    )
      ? '\n\nText that ends in “…” is only the beginning: `section` with its title returns all of it.'
      : ''
    return sections.map(shownText).join('\n\n') + openings + rest
  },
})

type Shown = Static<typeof Section>

function shown(one: Parameters<typeof toSectionSummary>[0], content: string): Shown {
  return { section: toSectionSummary(one), from_pages: one.is_ai_generated || one.source_url !== null, content }
}

function shownText({ section: { id, type, title, source_url }, from_pages, content }: Shown): string {
  const body = from_pages ? `${UNTRUSTED_NOTICE}\n${blockQuote(content, source_url)}` : content
  return `## ${quoteName(title, 300)} (${type}, id ${id})\n${body}`
}

export const editKnowledgeBaseTool = defineTool({
  name: 'edit_knowledge_base',
  title: 'Edit the knowledge base',
  description:
    'Adds, changes or removes one section of the knowledge base. It decides what counts as a fit and how messages are drafted, for the whole team: show the person the text first. A change replaces the whole text of the section; a removed section cannot be restored. Free.',
  input: ToolArguments(
    {
      action: OneOf(['add', 'change', 'remove'], { description: 'add, change or remove' }),
      section: Type.Optional(
        Type.String({ minLength: 1, maxLength: 300, description: 'For change and remove: title or id of the section' }),
      ),
      title: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 300,
          pattern: '\\S',
          description: 'For add: the heading; for change: a new heading',
        }),
      ),
      content_md: Type.Optional(
        Type.String({ maxLength: 200_000, description: 'For add and change: the whole text, in Markdown' }),
      ),
      type: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 60,
          pattern: '\\S',
          description: 'overview, product, value_prop, icp, pricing, competitor or custom',
        }),
      ),
      position: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Position in the order, from 0' }),
      ),
    },
    { action: 'add', title: 'Who we sell to', content_md: '- Logistics companies in DACH', type: 'icp' },
  ),
  output: ClosedObject({ action: OneOf(['add', 'change', 'remove']), section: SectionSummary }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run(client, { action, section: given, title, content_md, ...rest }) {
    if (action === 'add') {
      if (title === undefined || content_md === undefined)
        throw new ToolError('To add a section, give `title` and `content_md`.')
      return {
        action,
        section: toSectionSummary(await client.post('/v1/knowledge-base', { body: { title, content_md, ...rest } })),
      }
    }
    if (given === undefined)
      throw new ToolError(`To ${action} a section, give \`section\`: its title or id. read_knowledge_base lists them.`)
    const found = await resolveKnowledgeSection(client, given)
    const path = { id: found.id }
    if (action === 'remove') {
      await client.delete('/v1/knowledge-base/{id}', { path })
      return { action, section: toSectionSummary(found) }
    }
    const body = { title, content_md, ...rest }
    if (Object.values(body).every((value) => value === undefined))
      throw new ToolError('Nothing to change: give `title`, `content_md`, `type` or `position`.')
    return { action, section: toSectionSummary(await client.patch('/v1/knowledge-base/{id}', { path, body })) }
  },
  text({ action, section: { id, title, chars } }) {
    const done = { add: 'Added', change: 'Changed', remove: 'Removed' }[action]
    return `${done}: ${quoteName(title, 300)} (${chars} characters), id ${id}. Scores and drafts are updated in the background.`
  },
})
