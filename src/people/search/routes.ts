import type { Static } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { IdParams } from '../../http/schema.ts'
import { verificationConfig, verificationProblem } from '../../resources/integrations/email-verification.ts'
import * as schema from '../../resources/people/schema.ts'
import { viewerOf } from '../../shared/member.ts'
import { findPeople, selectAccountsToSearch } from './find.ts'
import { previewRequest } from './preview.ts'
import { getPeopleSearch } from './search-store.ts'

const tag = 'People'

export const peopleSearchRoutes: Routes = (app, deps) => {
  app.post(
    '/people/find',
    op('findPeople', {
      tag,
      summary: 'Find people at active accounts by a plain-English request',
      body: schema.FindPeople,
      data: schema.FoundPeople,
      errors: ['account_not_searchable'],
      allow: (deps, { member, body }) =>
        selectAccountsToSearch(deps, viewerOf(member), body as Static<typeof schema.FindPeople>),
    }),
    async (req) => {
      const found = await findPeople(deps, viewerOf(req.member), req.member.id, req.body)
      const unverified = verificationProblem(await verificationConfig(deps, req.member.workspace_id))
      const notices = [found.notice, unverified].filter((notice) => notice !== null)
      return { ...found, notice: notices.join(' ') || null }
    },
  )

  app.post(
    '/people/find/preview',
    op('previewFindPeople', {
      tag,
      summary: 'Preview how a request for people is understood, without searching',
      body: schema.PreviewFindPeople,
      data: schema.UnderstoodRequest,
      changesNothing: true,
      extension: true,
    }),
    async (req) => previewRequest(deps.config, req.body.query),
  )

  app.get(
    '/people/searches/:id',
    op('getPeopleSearch', {
      tag,
      summary: 'Read the result of a people search, also while it runs',
      params: IdParams,
      data: schema.PeopleSearch,
      extension: true,
    }),
    (req) => getPeopleSearch(deps.db, viewerOf(req.member), req.params.id),
  )
}
