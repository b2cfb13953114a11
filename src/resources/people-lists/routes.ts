import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted, IdParams } from '../../http/schema.ts'
import { viewerOf } from '../../shared/member.ts'
import { changeListMembers, deleteList } from './change.ts'
import { ChangeListMembers, CreatePeopleList, ListMembersChanged, PeopleList } from './schema.ts'
import { createList, listPeopleLists } from './store.ts'

const tag = 'People lists'

export const peopleListRoutes: Routes = (app, deps) => {
  const { db } = deps

  app.get(
    '/people/lists',
    op('listPeopleLists', { tag, summary: 'List the lists with their sizes', data: Type.Array(PeopleList) }),
    (req) => listPeopleLists(db, viewerOf(req.member)),
  )

  app.post(
    '/people/lists',
    op('createPeopleList', {
      tag,
      summary: 'Create a list, or return the existing one with this name',
      body: CreatePeopleList,
      data: PeopleList,
      status: [201, 200],
    }),
    async (req, reply) => {
      const { list, created } = await createList(db, viewerOf(req.member), req.body.name.trim(), req.member.id)
      reply.code(created ? 201 : 200)
      return list
    },
  )

  app.delete(
    '/people/lists/:id',
    op('deletePeopleList', { tag, summary: 'Delete a list, but not its people', params: IdParams, data: Deleted }),
    async (req) => {
      await deleteList(deps, req.member, req.params.id)
      return deleted(req.params.id)
    },
  )

  app.post(
    '/people/lists/:id/members',
    op('changeListMembers', {
      tag,
      summary: 'Add and remove people',
      params: IdParams,
      body: ChangeListMembers,
      data: ListMembersChanged,
      recorded: { add: 'count', remove: 'count' },
    }),
    (req) => changeListMembers(deps, viewerOf(req.member), req.params.id, req.body),
  )
}
