import { Type } from 'typebox'
import { Body, OneOf, Rec, Timestamp } from '../../http/schema.ts'

const role = OneOf(['admin', 'member'])
const visibility = OneOf(['all', 'scoped'], {
  description: 'scoped: sees only people at their own accounts and people assigned to them',
})
const name = Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })
const email = Type.String({ format: 'email', maxLength: 254 })

export const time_zone = Type.String({ description: 'IANA name, for the hours of alerts and the days of snoozes' })

export const MemberSchema = Rec(
  'Member',
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role,
    visibility,
    time_zone,
    created_at: Timestamp(),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
    name: 'Dana Whitfield',
    email: 'dana@northwind.example',
    role: 'member',
    visibility: 'scoped',
    time_zone: 'Europe/Vienna',
    created_at: '2026-11-01T08:00:00.000Z',
  },
)

const example = { name: 'Dana Whitfield', email: 'dana@northwind.example', role: 'member', visibility: 'scoped' }

export const CreateMember = Body(
  'CreateMember',
  { name, email, role: Type.Optional(role), visibility: Type.Optional(visibility) },
  example,
)

export const UpdateMember = Body(
  'UpdateMember',
  {
    name: Type.Optional(name),
    email: Type.Optional(email),
    role: Type.Optional(role),
    visibility: Type.Optional(visibility),
  },
  { visibility: 'all' },
)
