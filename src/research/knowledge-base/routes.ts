import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted, IdParams } from '../../http/schema.ts'
import { CreateSection, IcpFromCustomers, Section, UpdateSection } from '../../resources/knowledge-base/schema.ts'
import { listSections } from '../../resources/knowledge-base/store.ts'
import { draftIcpFromCustomers } from './icp-draft.ts'
import { createSection, deleteSection, updateSection } from './sections.ts'

const tag = 'Knowledge base'

export const knowledgeBaseRoutes: Routes = (app, deps) => {
  const { db } = deps

  app.get(
    '/knowledge-base',
    op('listKnowledgeSections', { tag, summary: 'List the sections in their order', data: Type.Array(Section) }),
    (req) => listSections(db, req.member.workspace_id),
  )

  app.get(
    '/knowledge-base/icp-draft',
    op('draftIcpFromCustomers', {
      tag,
      summary: 'Draft the ideal customer from your best customers',
      description:
        'Sizes, industries, countries and technologies of the customers in your CRM with the highest won amount; amounts in different currencies are not converted. Nothing is stored: save the edited text as a section. With fewer than five customers it proposes nothing.',
      data: IcpFromCustomers,
      extension: true,
    }),
    (req) => draftIcpFromCustomers(db, req.member.workspace_id),
  )

  app.post(
    '/knowledge-base',
    op('createKnowledgeSection', {
      shared: true,
      tag,
      summary: 'Add a section',
      body: CreateSection,
      data: Section,
      status: [201],
    }),
    (req) => createSection(deps, req.member.workspace_id, req.body),
  )

  app.patch(
    '/knowledge-base/:id',
    op('updateKnowledgeSection', {
      shared: true,
      tag,
      summary: 'Change a section',
      params: IdParams,
      body: UpdateSection,
      data: Section,
    }),
    (req) => updateSection(deps, req.member.workspace_id, req.params.id, req.body),
  )

  app.delete(
    '/knowledge-base/:id',
    op('deleteKnowledgeSection', { shared: true, tag, summary: 'Delete a section', params: IdParams, data: Deleted }),
    async (req) => {
      await deleteSection(deps, req.member.workspace_id, req.params.id)
      return deleted(req.params.id)
    },
  )
}
