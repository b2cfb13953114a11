import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'

const kind = OneOf(['parent', 'ultimate_parent', 'subsidiary', 'brand', 'former_name'], {
  description: '`brand`: a name that the company trades under',
})
const register = OneOf(['gleif', 'companies-house'])
const status = OneOf(['active', 'rejected'], {
  description: '`rejected`: a member called it wrong; it is not used, and research does not find it again',
})
const counts = Type.Boolean({
  description:
    'Whether news about the name is news about the account. The default is true for a brand and a former name, false for other companies.',
})
const name = Type.String({ minLength: 1, maxLength: 300, pattern: '[\\p{L}\\p{N}]' })
const domain = Nullable(Type.String({ maxLength: 300, description: 'The website of the name, if it has its own' }))

const EXAMPLE = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d91',
  kind: 'parent',
  name: 'Northwind Holding AS',
  domain: null,
  register: 'gleif',
  register_id: '5967007LIEEXZX0BEO25',
  source: 'gleif',
  source_url: 'https://search.gleif.org/#/record/5967007LIEEXZX0BEO25',
  counts_as_account: false,
  status: 'active',
  created_by: null,
  found_at: '2026-11-10T08:00:00.000Z',
  edited_at: null,
  related_account_id: null,
} as const

export const CompanyRelation = Rec(
  'CompanyRelation',
  {
    id: Type.String(),
    kind,
    name: Type.String(),
    domain: Nullable(Type.String()),
    register: Nullable(register),
    register_id: Nullable(Type.String()),
    source: Type.String({ description: 'The register, `website`, or `member`' }),
    source_url: Nullable(Type.String()),
    counts_as_account: counts,
    status,
    created_by: Nullable(Type.String({ description: 'The member who added it' })),
    found_at: Timestamp(),
    edited_at: Nullable(Timestamp({ description: 'When a member changed it last' })),
    related_account_id: Nullable(
      Type.String({ description: 'The account of this workspace with the domain or the register record' }),
    ),
  },
  EXAMPLE,
)

const REGISTRATION = {
  register: 'gleif',
  register_id: '549300NORTHWIND00A17',
  legal_name: 'Northwind Trading AS',
  proof: 'The website states its registration number.',
  source_url: 'https://search.gleif.org/#/record/549300NORTHWIND00A17',
  status: 'active',
  checked_at: '2026-11-10T08:00:00.000Z',
} as const

export const AccountRegistration = Rec(
  'AccountRegistration',
  {
    register,
    register_id: Type.String({ description: 'The LEI or the company number' }),
    legal_name: Type.String(),
    proof: Type.String({ description: 'What proves that the record is about this company' }),
    source_url: Nullable(Type.String()),
    status,
    checked_at: Timestamp(),
  },
  REGISTRATION,
)

export const CompanyStructure = Rec(
  'CompanyStructure',
  {
    account_id: Type.String(),
    registrations: Type.Array(AccountRegistration),
    relations: Type.Array(CompanyRelation),
  },
  { account_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d84', registrations: [REGISTRATION], relations: [EXAMPLE] },
)

export const AddRelation = Body(
  'AddRelation',
  { kind, name, domain: Type.Optional(domain), counts_as_account: Type.Optional(counts) },
  { kind: 'brand', name: 'Northwind Express', domain: 'northwind-express.com' },
)

export const UpdateRelation = Body(
  'UpdateRelation',
  {
    name: Type.Optional(name),
    domain: Type.Optional(domain),
    counts_as_account: Type.Optional(counts),
    status: Type.Optional(status),
  },
  { counts_as_account: true },
)

export const UpdateRegistration = Body('UpdateRegistration', { status }, { status: 'rejected' })

export const RelationParams = Type.Object({
  id: Type.String({ format: 'uuid' }),
  relation_id: Type.String({ format: 'uuid' }),
})

export const RegistrationParams = Type.Object({
  id: Type.String({ format: 'uuid' }),
  register_id: Type.String({ maxLength: 100 }),
})

export const RelationRemoved = Rec(
  'RelationRemoved',
  {
    id: Type.String(),
    deleted: Type.Boolean({ description: 'false: research found it, so it was rejected and stays listed' }),
  },
  { id: EXAMPLE.id, deleted: true },
)

export type AddRelation = Static<typeof AddRelation>
export type UpdateRelation = Static<typeof UpdateRelation>
