import type { Schemas } from '@bellwether/client'
import { Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { Shape } from '../shared/define.ts'
import { clean, line, NOTICE, named, quote } from '../shared/quoted.ts'

export const SectionHead = Shape({
  id: Type.String(),
  type: Type.String(),
  title: Type.String(),
  position: Type.Integer(),
  source_url: Nullable(Type.String({ description: 'The page it was drafted from' })),
  chars: Type.Integer({ description: 'How long it is' }),
})

export function sectionHead({ id, type, title, position, source_url, content_md }: Schemas['KnowledgeSection']) {
  return { id, type: line(type, 60), title: line(title, 300), position, source_url, chars: content_md.length }
}

/** What the team has written stands as it is; what was drafted from pages is quoted. */
export function sectionText(section: Schemas['KnowledgeSection'], max?: number): string {
  const { id, type, title, content_md, is_ai_generated, source_url } = section
  const body =
    is_ai_generated || source_url ? `${NOTICE}\n${quote(content_md, source_url, max)}` : clean(content_md, max)
  return `## ${named(title, 300)} (${line(type, 60)}, id ${id})\n\n${body}`
}
