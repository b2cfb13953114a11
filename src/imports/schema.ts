import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Nullable, OneOf, Rec, Timestamp } from '../http/schema.ts'
import { MAX_TAG_CHARS } from '../resources/accounts/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const status = OneOf(['running', 'done', 'failed'])
const ID = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d91'
const CREATED = '2026-11-14T06:30:00.000Z'

const errors = (most: number) =>
  Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() }), {
    description: `The first rows that cannot be used, at most ${most}`,
  })

const importFields = {
  id: Type.String(),
  status,
  format: OneOf(['csv', 'ndjson']),
  bytes: count('Size of the file as it was sent'),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'Part of the file that is stored' }),
  rows: count('Rows worked off; of a failed import those before it failed'),
  created: count('Records that are new'),
  existing: count('Rows about records that were there already'),
  rejected: count('Rows that cannot be used'),
  errors: errors(20),
  failure: Nullable(Type.String({ description: 'Why a failed import failed; what was stored before stays' })),
  finished_at: Nullable(Timestamp()),
  created_at: Timestamp(),
}

const importExample = {
  id: ID,
  status: 'done',
  format: 'csv',
  bytes: 91_250,
  progress: 1,
  rows: 1_204,
  created: 1_190,
  existing: 12,
  rejected: 2,
  errors: [{ line: 318, reason: 'it has no domain' }],
  failure: null,
  finished_at: '2026-11-14T06:30:04.000Z',
  created_at: CREATED,
}

export const CompanyImport = Rec('CompanyImport', importFields, importExample)

export const AccountImport = Rec(
  'AccountImport',
  { ...importFields, tag: Nullable(Type.String({ description: 'Was put on every account that is new' })) },
  { ...importExample, tag: 'trade fair' },
)

const columns = Type.Optional(
  Type.Array(Type.String({ maxLength: 400, pattern: '^[a-z_]+=' }), {
    maxItems: 20,
    description:
      'FIELD=HEADER, once for each column that the names or contents of the file do not tell; `Column 3` is the third, and FIELD= leaves the field out',
  }),
)

/** How a file is to be read, where the guess is wrong. */
export const AccountsFile = Type.Object({
  column: columns,
  encoding: Type.Optional(OneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])),
  delimiter: Type.Optional(OneOf(['comma', 'semicolon', 'tab'])),
  has_header: Type.Optional(Type.Boolean({ description: 'Whether the first line names the columns' })),
  tag: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TAG_CHARS,
      pattern: '\\S',
      description: 'Is put on every account that is new',
    }),
  ),
})

const ImportedAccount = Type.Object({
  name: Type.String(),
  domain: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  owner_id: Nullable(Type.String()),
  employees: Nullable(Type.Integer()),
  industry: Nullable(Type.String()),
  location: Nullable(Type.String()),
  country: Nullable(Type.String()),
  network_url: Nullable(Type.String()),
  short_description: Nullable(Type.String()),
})

/** A shape that may be null. */
const orNull = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })

export const AccountsPreview = Rec(
  'AccountsPreview',
  {
    encoding: OneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
    delimiter: OneOf(['comma', 'semicolon', 'tab']),
    has_header: Type.Boolean(),
    columns: Type.Array(
      Type.Object({
        header: Type.String({ description: '`Column 3` where no line names it' }),
        field: Nullable(Type.String({ description: 'null: it is not used' })),
        samples: Type.Array(Type.String()),
      }),
    ),
    fields: Type.Array(Type.String(), { description: 'What a column can be' }),
    rows: count('Rows of the file'),
    created: count('Accounts that would be new'),
    existing: count('Rows about accounts that are there already, or that came before'),
    rejected: count('Rows that cannot be used'),
    errors: errors(100),
    preview: Type.Array(
      Type.Object({
        line: Type.Integer(),
        outcome: OneOf(['created', 'existing', 'rejected']),
        account: orNull(ImportedAccount),
      }),
      { description: 'The first rows as they would be stored, at most 20; null: it cannot be used' },
    ),
    failure: Nullable(Type.String({ description: 'Why the file cannot be read to its end' })),
  },
  {
    encoding: 'windows-1252',
    delimiter: 'semicolon',
    has_header: true,
    columns: [
      { header: 'Firma', field: 'name', samples: ['Northwind Freight'] },
      { header: 'Website', field: 'domain', samples: ['northwind.example'] },
    ],
    fields: ['name', 'domain'],
    rows: 2,
    created: 1,
    existing: 0,
    rejected: 1,
    errors: [{ line: 3, reason: '"none" is not a domain' }],
    preview: [
      {
        line: 2,
        outcome: 'created',
        account: {
          name: 'Northwind Freight',
          domain: 'northwind.example',
          tags: [],
          owner_id: null,
          employees: null,
          industry: null,
          location: null,
          country: null,
          network_url: null,
          short_description: null,
        },
      },
    ],
    failure: null,
  },
)

export const StartedImport = Rec(
  'StartedImport',
  {
    id: Type.String({ description: 'To be read at /companies/imports/{id}, or /accounts/imports/{id}' }),
    status,
    created_at: Timestamp(),
  },
  { id: ID, status: 'running', created_at: CREATED },
)

const counted = <T extends TProperties>(properties: T) =>
  Type.Array(Type.Object({ ...properties, count: Type.Integer() }))

export const CompanyFacets = Rec(
  'CompanyFacets',
  {
    total: count('Companies of the universe'),
    countries: counted({ code: Type.String({ description: 'ISO 3166-1 alpha-2' }) }),
    industries: counted({ name: Type.String({ description: 'As POST /runs takes it, with all that belongs to it' }) }),
    sizes: counted({
      min: Type.Integer(),
      max: Nullable(Type.Integer({ description: 'null: and more' })),
    }),
  },
  {
    total: 2,
    countries: [{ code: 'DE', count: 2 }],
    industries: [
      { name: 'transportation', count: 2 },
      { name: 'logistics', count: 1 },
    ],
    sizes: [{ min: 501, max: 1000, count: 1 }],
  },
)
