import { sendCsv, wantsCsv } from '../../http/csv.ts'
import { op, type Routes } from '../../http/operation.ts'
import { sendPage, sendRecord } from '../../http/page.ts'
import { clampPage, IdParams } from '../../http/schema.ts'
import { viewerOf } from '../../shared/member.ts'
import { OwnerAnswer } from '../accounts/schema.ts'
import { listPeople, streamPeople } from './list-store.ts'
import * as schema from './schema.ts'
import { assignPerson, PERSON_COLUMNS, PERSON_COMPUTED_SQL, readPersonJson } from './store.ts'

const tag = 'People'
const params = IdParams
const CSV_COLUMNS = [...PERSON_COLUMNS, ...Object.keys(PERSON_COMPUTED_SQL)]

export const peopleRoutes: Routes = (app, deps) => {
  const { db, lists } = deps

  app.get(
    '/people',
    op('listPeople', {
      tag,
      summary: 'List people, newest first',
      query: schema.PeopleQuery,
      page: schema.Person,
      etag: true,
      csv: true,
    }),
    (req, reply) => {
      const viewer = viewerOf(req.member)
      if (wantsCsv(req)) return sendCsv(reply, 'people', CSV_COLUMNS, streamPeople(db, viewer, req.query)) as never
      return sendPage(req, reply, lists, (reader) => listPeople(db, viewer, clampPage(req.query), reader))
    },
  )

  app.get(
    '/people/:id',
    op('getPerson', { tag, summary: 'Read a person and their lists', params, data: schema.PersonWithLists }),
    ({ member, params: { id } }, reply) => {
      return sendRecord(reply, 'person', readPersonJson(db, viewerOf(member), id))
    },
  )

  app.put(
    '/people/:id/owner',
    op('setPersonOwner', {
      tag,
      summary: 'Assign an owner, or none',
      params,
      body: schema.SetPersonOwner,
      data: OwnerAnswer,
      errors: ['unknown_member'],
    }),
    (req) => assignPerson(db, viewerOf(req.member), req.params.id, req.body.owner_id ?? null),
  )
}
