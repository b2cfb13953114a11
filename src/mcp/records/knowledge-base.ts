import type { Schemas } from '@bellwether/client'
import { Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { ClosedObject } from '../shared/tool.ts'
import { blockQuote, quoteName, singleLine, UNTRUSTED_NOTICE, visibleText } from '../shared/untrusted-text.ts'

export const SectionSummary = ClosedObject({
  id: Type.String(),
  type: Type.String(),
  title: Type.String(),
  position: Type.Integer(),
  source_url: Nullable(Type.String({ description: 'The page it was drafted from' })),
  chars: Type.Integer({ description: 'Length in characters' }),
})

export function toSectionSummary({ id, type, title, position, source_url, content_md }: Schemas['KnowledgeSection']) {
  return {
    id,
    type: singleLine(type, 60),
    title: singleLine(title, 300),
    position,
    source_url,
    chars: content_md.length,
  }
}

/** Text written by the team is shown as it is; text drafted from web pages is quoted. */
export function formatSection(section: Schemas['KnowledgeSection'], max?: number): string {
  const { id, type, title, content_md, is_ai_generated, source_url } = section
  const body =
    is_ai_generated || source_url
      ? `${UNTRUSTED_NOTICE}\n${blockQuote(content_md, source_url, max)}`
      : visibleText(content_md, max)
  return `## ${quoteName(title, 300)} (${singleLine(type, 60)}, id ${id})\n\n${body}`
}
