import { Type } from 'typebox'
import { Body, Nullable, OneOf, Rec } from '../../http/schema.ts'
import { time_zone } from '../members/schema.ts'

export const Me = Rec(
  'Me',
  {
    member: Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: Nullable(Type.String({ description: 'Null for a service account' })),
      role: OneOf(['admin', 'member']),
      visibility: OneOf(['all', 'scoped']),
      time_zone,
    }),
    workspace: Type.Object({
      id: Type.String(),
      name: Type.String(),
      scoped_members_claim: Type.Boolean({ description: 'As in GET /settings/workspace' }),
      is_first: Type.Boolean({ description: 'Whether its admins may read the settings of the server' }),
    }),
    read_only: Type.Boolean({ description: 'Whether your key has the scope `read`' }),
    session_id: Nullable(Type.String({ description: 'The session of this request; null with a key' })),
    version: Type.String({ description: 'Version of the service' }),
  },
  {
    member: {
      id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
      name: 'Dana Whitfield',
      email: 'dana@northwind.example',
      role: 'member',
      visibility: 'scoped',
      time_zone: 'Europe/Vienna',
    },
    workspace: {
      id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d70',
      name: 'Northwind',
      scoped_members_claim: true,
      is_first: true,
    },
    read_only: false,
    session_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d8a',
    version: '0.1.0',
  },
)

export const UpdateMe = Body(
  'UpdateMe',
  { time_zone: Type.Optional({ ...time_zone, minLength: 1, maxLength: 64 }) },
  { time_zone: 'Europe/Vienna' },
)
