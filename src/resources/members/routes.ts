import { type Static, Type } from 'typebox'
import { allowUnrestricted, requireUnrestricted } from '../../http/key-limits.ts'
import { op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted, IdParams } from '../../http/schema.ts'
import { deleteMember, updateMember } from './change.ts'
import { CreateMember, MemberSchema, UpdateMember } from './schema.ts'
import { insertMember, listMembers } from './store.ts'

const tag = 'Members'

export const memberRoutes: Routes = (app, deps) => {
  const { db } = deps

  app.get(
    '/members',
    op('listMembers', { tag, summary: 'List the members of the workspace', data: Type.Array(MemberSchema) }),
    (req) => listMembers(db, req.member.workspace_id),
  )

  app.post(
    '/members',
    op('createMember', {
      tag,
      summary: 'Add a member',
      body: CreateMember,
      data: MemberSchema,
      status: [201],
      errors: ['email_taken'],
      admin: true,
      allow: allowUnrestricted,
      extension: true,
    }),
    (req) => insertMember(db, req.member.workspace_id, { role: 'member', visibility: 'all', ...req.body }),
  )

  app.patch(
    '/members/:id',
    op('updateMember', {
      tag,
      summary: 'Change a member',
      params: IdParams,
      body: UpdateMember,
      data: MemberSchema,
      errors: ['email_taken', 'last_admin'],
      admin: true,
      allow: async (_deps, { member, body }) => {
        const { email, role } = body as Static<typeof UpdateMember>
        if (email !== undefined || role !== undefined) requireUnrestricted(member)
      },
      extension: true,
    }),
    (req) => updateMember(deps, req.member.workspace_id, req.params.id, req.body),
  )

  app.delete(
    '/members/:id',
    op('deleteMember', {
      tag,
      summary: 'Remove a member and their keys',
      params: IdParams,
      data: Deleted,
      errors: ['last_admin'],
      admin: true,
      extension: true,
    }),
    async (req) => {
      await deleteMember(deps, req.member.workspace_id, req.params.id)
      return deleted(req.params.id)
    },
  )
}
