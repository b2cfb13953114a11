import { Type } from 'typebox'
import { Body, Nullable, Rec, Timestamp } from '../../http/schema.ts'

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d95',
  name: 'Q4 outreach',
  member_count: 42,
  created_by: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
  created_at: '2026-11-01T08:00:00.000Z',
}

export const PeopleList = Rec(
  'PeopleList',
  {
    id: Type.String(),
    name: Type.String(),
    member_count: Type.Integer({ description: 'People on the list that you may see' }),
    created_by: Nullable(Type.String({ description: 'Extension: the member who created the list and may delete it' })),
    created_at: Timestamp(),
  },
  example,
)

export const CreatePeopleList = Body(
  'CreatePeopleList',
  { name: Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' }) },
  { name: 'Q4 outreach' },
)

const MAX_MEMBERS = 500
const ids = Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: MAX_MEMBERS }))

export const ChangeListMembers = Body(
  'ChangeListMembers',
  { add: ids, remove: ids },
  { add: ['019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90'], remove: [] },
)

export const ListMembersChanged = Rec(
  'ListMembersChanged',
  {
    list_id: Type.String(),
    added: Type.Integer(),
    removed: Type.Integer(),
    not_found: Type.Array(Type.String(), { description: 'Ids of people who do not exist or whom you may not see' }),
  },
  { list_id: example.id, added: 1, removed: 0, not_found: [] },
)
