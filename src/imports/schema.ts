import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Nullable, OneOf, Rec, Timestamp } from '../http/schema.ts'
import { MAX_TAG_CHARS } from '../resources/accounts/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const status = OneOf(['running', 'done', 'failed'])
const ID = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d91'
const CREATED = '2026-11-14T06:30:00.000Z'

const errors = (most: number) =>
  Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() }), {
    description: `The first rejected rows, at most ${most}`,
  })

const importFields = {
  id: Type.String(),
  file_name: Nullable(Type.String({ description: 'As given in the request; null: it had none' })),
  status,
  format: OneOf(['csv', 'ndjson']),
  bytes: count('Size of the uploaded file'),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'Fraction of the file that is stored' }),
  rows: count('Rows processed; for a failed import, those before the failure'),
  created: count('New records'),
  existing: count('Rows for records that already existed'),
  rejected: count('Rows that cannot be used'),
  errors: errors(20),
  failure: Nullable(Type.String({ description: 'Why the import failed; rows stored before the failure remain' })),
  finished_at: Nullable(Timestamp()),
  created_at: Timestamp(),
}

const importExample = {
  id: ID,
  file_name: 'accounts.csv',
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
  { ...importFields, tag: Nullable(Type.String({ description: 'Tag added to every new account' })) },
  { ...importExample, tag: 'trade fair' },
)

const columns = Type.Optional(
  Type.Array(Type.String({ maxLength: 400, pattern: '^[a-z_]+=' }), {
    maxItems: 20,
    description:
      'FIELD=HEADER, once for each column that is not detected by its header or content; `Column 3` is the third column, and FIELD= excludes the field',
  }),
)

/** The name of the uploaded file. */
export const fileName = Type.Optional(
  Type.String({ minLength: 1, maxLength: 300, description: 'Name of the file, for lists of imports and filters' }),
)

/** Layout options for a file whose layout is not detected correctly. */
export const AccountsFile = Type.Object({
  file_name: fileName,
  column: columns,
  encoding: Type.Optional(OneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])),
  delimiter: Type.Optional(OneOf(['comma', 'semicolon', 'tab'])),
  has_header: Type.Optional(Type.Boolean({ description: 'Whether the first line names the columns' })),
  tag: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TAG_CHARS,
      pattern: '\\S',
      description: 'Tag added to every new account',
    }),
  ),
  fill_domains: Type.Optional(
    Type.Boolean({
      description:
        'true: a row without a domain gets the domain of the company of the universe (POST /companies/import) with its name, if exactly one has it',
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

/** A schema that also accepts null. */
const orNull = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })

export const AccountsPreview = Rec(
  'AccountsPreview',
  {
    encoding: OneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
    delimiter: OneOf(['comma', 'semicolon', 'tab']),
    has_header: Type.Boolean(),
    columns: Type.Array(
      Type.Object({
        header: Type.String({ description: '`Column 3` if the file has no header' }),
        field: Nullable(Type.String({ description: 'null: the column is not used' })),
        samples: Type.Array(Type.String()),
      }),
    ),
    fields: Type.Array(Type.String(), { description: 'Fields that a column can be mapped to' }),
    rows: count('Rows of the file'),
    created: count('Accounts that would be created'),
    existing: count('Rows for accounts that already exist or occur earlier in the file; see duplicates'),
    rejected: count('Rows that cannot be used'),
    without_domain: count('Usable rows without a domain; their websites cannot be read'),
    completable: count(
      'Those of them whose name is that of exactly one company of the universe (see fill_domains) or of one account with a domain',
    ),
    warnings: Type.Array(
      Type.Object({
        code: OneOf(['no_domain_column', 'rows_without_domain', 'unknown_owner']),
        message: Type.String(),
      }),
      { description: 'What to correct before the import' },
    ),
    duplicates: Type.Array(
      Type.Object({
        line: Type.Integer(),
        name: Type.String(),
        account: orNull(Type.Object({ id: Type.String(), name: Type.String(), domain: Nullable(Type.String()) })),
        same_as_line: Nullable(Type.Integer({ description: 'The earlier line of the file with the same company' })),
      }),
      { description: 'The first rows of known companies, at most 100, with the account or the line they repeat' },
    ),
    errors: errors(100),
    preview: Type.Array(
      Type.Object({
        line: Type.Integer(),
        outcome: OneOf(['created', 'existing', 'rejected']),
        account: orNull(ImportedAccount),
      }),
      { description: 'The first rows as they would be stored, at most 20; null: the row is rejected' },
    ),
    failure: Nullable(Type.String({ description: 'Why the file cannot be read completely' })),
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
    without_domain: 0,
    completable: 0,
    warnings: [],
    duplicates: [],
    errors: [{ line: 3, reason: '"none at all" is not a domain' }],
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
    id: Type.String({ description: 'Read the progress at /companies/imports/{id} or /accounts/imports/{id}' }),
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
    industries: counted({ name: Type.String({ description: 'As accepted by POST /runs, including sub-industries' }) }),
    sizes: counted({
      min: Type.Integer(),
      max: Nullable(Type.Integer({ description: 'null: no upper limit' })),
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
