import { type Static, type TSchema, Type } from 'typebox'
import { Body, INTEGER_RANGE, Nullable, OneOf, PageQuery, Rec, Timestamp, WebLink } from '../../http/schema.ts'
import { ACCOUNT_MAX_LENGTHS } from '../../shared/max-lengths.ts'

export const STATUSES = ['suggested', 'active', 'rejected', 'unqualified', 'new'] as const
const status = OneOf([...STATUSES])

export const MAX_TAGS = 100
export const MAX_TAG_CHARS = 60

const tags = Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG_CHARS, pattern: '\\S' }), {
  maxItems: MAX_TAGS,
  description: `At most ${MAX_TAGS} tags of an account, of at most ${MAX_TAG_CHARS} characters each`,
})
const ownerId = Type.String({ description: 'A member of the workspace', maxLength: 100 })
const text = (maxLength: number, description = '') =>
  Type.String({ maxLength, ...(description ? { description } : {}) })

const listFields = {
  id: Type.String(),
  name: Type.String(),
  domain: Nullable(Type.String()),
  status,
  score: Type.Integer({ description: '0 to 100' }),
  employees: Nullable(Type.Integer()),
  industry: Nullable(Type.String()),
  location: Nullable(Type.String()),
  country: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  owner_id: Nullable(Type.String()),
  network_url: Nullable(Type.String()),
  short_description: Nullable(Type.String()),
  logo_url: Nullable(Type.String()),
  created_at: Timestamp(),
  last_signal_at: Nullable(Timestamp()),
  is_hot: Type.Boolean(),
  qualified: Type.Boolean(),
}

const breakdown = () =>
  Nullable(Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' } }))

const technologyFact = Type.Object({
  name: Type.String(),
  category: Type.String(),
  first_seen: Timestamp(),
  last_seen: Timestamp(),
  gone_at: Nullable(
    Timestamp({ description: 'When the pages that showed it were first read without it; null while they do' }),
  ),
  evidence: Type.String({ description: 'What shows it: an address that pages load, a header, a record of the domain' }),
  evidence_url: Nullable(Type.String({ description: 'The page that shows it; null for records of the domain' })),
})
export type TechnologyFact = Static<typeof technologyFact>

const fullFields = {
  ...listFields,
  why_now_md: Nullable(Type.String()),
  suggestion_reason: Nullable(
    Type.String({ description: 'Extension: why it was suggested, where a contact of yours has moved there' }),
  ),
  unqualified_reason: Nullable(
    Type.String({
      description: 'Why an unqualified account does not fit the ideal customer; null for any other status',
      'x-extension': true,
    }),
  ),
  source: OneOf(['api', 'import', 'discovery', 'console']),
  last_scanned_at: Nullable(Timestamp()),
  activated_at: Nullable(Timestamp()),
  founded_year: Nullable(Type.Integer()),
  technologies: Type.Array(Type.String()),
  technology_facts: Type.Array(technologyFact, {
    description: 'Products that the company’s own pages and its name records show it uses, those last that are gone',
    'x-extension': true,
  }),
  workforce_by_department: breakdown(),
  workforce_by_country: breakdown(),
  workforce_based_on: Nullable(
    Type.Integer({
      description:
        'Of how many known people the two breakdowns are made; far fewer than `employees`, they are a sample',
    }),
  ),
  overridden: Type.Array(Type.String(), {
    description:
      'Fields that a person has set, which research leaves alone; `status` where it was set back to suggested. PATCH with null takes a field back.',
    'x-extension': true,
  }),
}

/** A field of an account that research finds out and a person may set. */
const override = <T extends TSchema>(schema: T) =>
  Type.Optional(
    Nullable({
      ...schema,
      description:
        'Research leaves it alone from then on; null takes this back: the field is what research knows again',
    }),
  )

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
  name: 'Northwind Freight',
  domain: 'northwind.example',
  status: 'active',
  score: 72,
  employees: 640,
  industry: 'Logistics',
  location: 'Hamburg',
  country: 'Germany',
  tags: ['rail', 'q4'],
  owner_id: null,
  network_url: null,
  short_description: 'Books rail freight across Europe.',
  logo_url: null,
  created_at: '2026-11-01T08:00:00.000Z',
  last_signal_at: '2026-11-12T06:30:00.000Z',
  is_hot: true,
  qualified: true,
}

const fullExample = {
  ...example,
  why_now_md: 'Raised a round on 11 November and is opening a second hub.',
  suggestion_reason: null,
  unqualified_reason: null,
  source: 'api',
  last_scanned_at: '2026-11-14T06:30:00.000Z',
  activated_at: '2026-11-02T08:00:00.000Z',
  founded_year: 2012,
  technologies: ['Zendesk'],
  technology_facts: [
    {
      name: 'Zendesk',
      category: 'support and chat',
      first_seen: '2026-11-02T08:00:00.000Z',
      last_seen: '2026-11-14T06:30:00.000Z',
      gone_at: null,
      evidence: 'Loads static.zdassets.com',
      evidence_url: 'https://northwind.example/',
    },
  ],
  workforce_by_department: { engineering: 120, sales: 60 },
  workforce_by_country: { Germany: 500, Poland: 140 },
  workforce_based_on: 640,
  overridden: ['industry'],
}

/** Nothing is known of it yet but what was sent. */
const createdExample = {
  ...fullExample,
  status: 'suggested',
  score: 0,
  employees: null,
  industry: null,
  location: null,
  country: null,
  tags: ['rail'],
  short_description: null,
  last_signal_at: null,
  is_hot: false,
  qualified: false,
  why_now_md: null,
  last_scanned_at: null,
  activated_at: null,
  founded_year: null,
  technologies: [],
  technology_facts: [],
  workforce_by_department: null,
  workforce_by_country: null,
  workforce_based_on: null,
  overridden: [],
  created: true,
}

export const ListedAccount = Rec('ListedAccount', listFields, example)
export const Account = Rec('Account', fullFields, fullExample)
export const CreatedAccount = Rec(
  'CreatedAccount',
  { ...fullFields, created: Type.Boolean({ description: 'false: the domain was there already and nothing changed' }) },
  createdExample,
)

export const EnrichedAccount = Rec(
  'EnrichedAccount',
  {
    ...fullFields,
    problems: Type.Array(Type.Object({ source: Type.String(), message: Type.String() }), {
      description: 'Sources that failed or could not bring all they have, and why',
    }),
  },
  {
    ...fullExample,
    problems: [{ source: 'People Data Labs', message: 'People Data Labs refuses us or our key (status 401).' }],
  },
)

/** In the place of an account that could not be stored, with `partial`. */
const RefusedAccount = Rec(
  'RefusedAccount',
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    }),
  },
  {
    error: {
      code: 'invalid_request',
      message: '3.domain must be a domain such as acme.com.',
      details: [{ path: '3.domain', message: 'must be a domain such as acme.com' }],
    },
  },
)

/** One account for one, a list for a list. */
export const CreatedOneOrMany = {
  anyOf: [CreatedAccount, Type.Array(Type.Unsafe<object>({ anyOf: [CreatedAccount, RefusedAccount] }))],
  examples: [createdExample],
}

export const CreateQuery = Type.Object({
  partial: Type.Optional(
    Type.Boolean({
      description:
        'For a list: true stores the accounts that can be stored and answers an `error` in the place of each that cannot; 400 or 422 where none can. A body with a text that cannot be stored anywhere, as one with NUL, is refused whole. Otherwise one that is wrong stores none',
      'x-extension': true,
    }),
  ),
})

const domain = text(2048, 'A domain, host name or URL')
const newAccount = {
  name: Type.String({ minLength: 1, maxLength: ACCOUNT_MAX_LENGTHS.name, pattern: '\\S' }),
  domain: Type.Optional(Nullable(domain)),
  tags: Type.Optional(tags),
  owner_id: Type.Optional(Nullable(ownerId)),
}
const NewAccount = Body('NewAccount', newAccount, {
  name: 'Northwind Freight',
  domain: 'northwind.example',
  tags: ['rail'],
})
export type NewAccount = Static<typeof NewAccount>

export const MAX_CREATE = 500

/** One account or up to 500. Told apart by `if`, so that an error names the field and not a union. */
export const CreateAccounts = Type.Unsafe<NewAccount | NewAccount[]>({
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { type: 'array', items: NewAccount, minItems: 1, maxItems: MAX_CREATE },
  else: NewAccount,
  examples: [{ name: 'Northwind Freight', domain: 'northwind.example', tags: ['rail'] }],
})

export const UpdateAccount = Body(
  'UpdateAccount',
  {
    name: Type.Optional(newAccount.name),
    domain: Type.Optional(domain),
    tags: Type.Optional(tags),
    owner_id: newAccount.owner_id,
    status: Type.Optional(
      OneOf([...STATUSES], {
        description: 'suggested takes back a rejection or an assessment; every other change has a call of its own',
      }),
    ),
    employees: override(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    industry: override(text(ACCOUNT_MAX_LENGTHS.industry)),
    location: override(text(ACCOUNT_MAX_LENGTHS.location)),
    country: override(text(ACCOUNT_MAX_LENGTHS.country)),
    network_url: override(WebLink()),
    short_description: override(text(ACCOUNT_MAX_LENGTHS.short_description)),
  },
  { industry: 'Logistics', employees: 640 },
)
export type UpdateAccount = Static<typeof UpdateAccount>

/** A filter beyond the published specification. */
const flag = (description: string) => Type.Optional(Type.Boolean({ description, 'x-extension': true }))

export const AccountsQuery = Type.Object({
  status: Type.Optional(status),
  owner_id: Type.Optional(Type.String({ description: 'Only accounts of this owner' })),
  tag: Type.Optional(Type.String({ description: 'Only accounts with this tag' })),
  domain: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the domain' })),
  industry: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the industry' })),
  min_score: Type.Optional(Type.Integer({ ...INTEGER_RANGE, description: 'This score or higher' })),
  search: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the name or the domain' })),
  hot: flag('Only accounts that are hot, or only those that are not'),
  country: Type.Optional(
    Type.String({ maxLength: 300, description: 'The name of the country, in capitals or not', 'x-extension': true }),
  ),
  run_id: Type.Optional(
    Type.String({ description: 'Only accounts that this run found to match', 'x-extension': true }),
  ),
  sort: Type.Unsafe<'score' | 'last_signal_at' | 'created_at'>(
    OneOf(['score', 'last_signal_at', 'created_at'], { default: 'score' }),
  ),
  order: Type.Unsafe<'asc' | 'desc'>(OneOf(['asc', 'desc'], { default: 'desc' })),
  ...PageQuery(50),
})
export type AccountsQuery = Static<typeof AccountsQuery>

/** The same filters, for calls that answer no page. */
const { page: _page, per_page: _perPage, ...filters } = AccountsQuery.properties
export const AccountsFilter = Type.Object(filters)
export type AccountsFilter = Static<typeof AccountsFilter>

export const MAX_IDS = 10_000

export const AccountIds = Rec(
  'AccountIds',
  {
    ids: Type.Array(Type.String(), { description: `In the order of the list, at most ${MAX_IDS}` }),
    total: Type.Integer({ description: 'How many match' }),
    truncated: Type.Boolean({ description: 'true: more match than are named' }),
  },
  { ids: [example.id], total: 1, truncated: false },
)

const MAX_BULK = 500

export const BulkAccounts = Body(
  'BulkAccounts',
  {
    ids: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: MAX_BULK }),
    action: OneOf(['activate', 'deactivate', 'reject', 'suggest', 'delete', 'tag', 'untag', 'owner', 'scan'], {
      description: 'suggest takes back a rejection or an assessment',
    }),
    tags: Type.Optional({ ...tags, description: 'For tag and untag' }),
    owner_id: Type.Optional(Nullable(Type.String({ description: 'For owner; null: nobody', maxLength: 100 }))),
  },
  { ids: [example.id], action: 'tag', tags: ['q4'] },
)
export type BulkAccounts = Static<typeof BulkAccounts>

export const BulkDone = Rec(
  'BulkDone',
  {
    done: Type.Integer({ description: 'Accounts of which it is so now, those included that were so before' }),
    results: Type.Array(Type.Object({ id: Type.String(), code: Type.String(), message: Type.String() }), {
      description: 'Accounts that were refused, and why; they are as they were',
    }),
    before: Type.Array(
      Type.Object({
        id: Type.String(),
        status,
        owner_id: Nullable(Type.String()),
        tags: Type.Array(Type.String()),
      }),
      { description: 'What the accounts that changed were before, to take it back' },
    ),
  },
  {
    done: 1,
    results: [
      { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d88', code: 'not_found', message: 'No such account in this workspace.' },
    ],
    before: [{ id: example.id, status: 'active', owner_id: null, tags: ['rail'] }],
  },
)

export const ActivatedAccount = Rec(
  'ActivatedAccount',
  {
    ...fullFields,
    limitations: Type.Array(Type.String(), {
      description: 'What cannot be done with the account as it is, and what to do about it; empty where all can',
      'x-extension': true,
    }),
  },
  { ...fullExample, limitations: [] },
)

export const Activate = Body('ActivateAccount', { owner_id: Type.Optional(Nullable(ownerId)) }, {})
export const Tags = Body('Tags', { tags }, { tags: ['rail', 'q4'] })
export const TagsAnswer = Rec(
  'AccountTags',
  { id: Type.String(), tags: Type.Array(Type.String()) },
  { id: example.id, tags: ['rail', 'q4'] },
)
export const SetOwner = Body(
  'SetOwner',
  { owner_id: Nullable(ownerId) },
  { owner_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80' },
)
export const OwnerAnswer = Rec(
  'Owner',
  { id: Type.String(), owner_id: Nullable(Type.String()) },
  { id: example.id, owner_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80' },
)

export const ScoreExplanation = Rec(
  'AccountScore',
  {
    account_id: Type.String(),
    score: Type.Integer(),
    scored_at: Nullable(Timestamp({ description: 'null: the account was not scored yet' })),
    components: Type.Array(Type.Object({ name: Type.String(), points: Type.Number(), because: Type.String() })),
  },
  {
    account_id: example.id,
    score: 72,
    scored_at: '2026-11-14T06:30:00.000Z',
    components: [{ name: 'funding', points: 41, because: 'Raised a round 3 days ago, told by two sources' }],
  },
)

export const ScanStarted = Rec(
  'ScanStarted',
  { run_id: Type.String(), jobs: Type.Integer(), status: OneOf(['running']) },
  { run_id: example.id, jobs: 12, status: 'running' },
)

export const MonitorEvent = Rec(
  'MonitorEvent',
  {
    id: Type.String(),
    url: Type.String(),
    status: OneOf(['new', 'changed', 'unchanged', 'failed']),
    search_status: OneOf(['pending', 'searched', 'skipped', 'failed']),
    meaningful: Type.Boolean(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    reason: Type.String(),
    run_id: Type.String({
      description:
        'The run that read what was new; else the check, which GET /runs/{id} shows and GET /runs does not list',
    }),
    created_at: Timestamp({ description: 'When it was first seen' }),
    count: Type.Integer({
      minimum: 1,
      description: 'How many looks this is: pages that fail for one reason are one event until they are read again',
      'x-extension': true,
    }),
    last_seen_at: Timestamp({ description: 'The last of these looks', 'x-extension': true }),
    urls: Type.Array(Type.String(), { description: 'All pages it is about', 'x-extension': true }),
    is_ongoing: Type.Boolean({
      description: 'Of a failure: whether one of its pages still cannot be read',
      'x-extension': true,
    }),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d89',
    url: 'https://northwind.example/news',
    status: 'changed',
    search_status: 'searched',
    meaningful: true,
    confidence: 0.9,
    reason: 'A press release was added.',
    run_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90',
    created_at: '2026-11-12T06:30:00.000Z',
    count: 1,
    last_seen_at: '2026-11-12T06:30:00.000Z',
    urls: ['https://northwind.example/news'],
    is_ongoing: false,
  },
)

export const EventsQuery = Type.Object({
  meaningful: flag(
    'Only what is meaningful, or only looks that found nothing new, or nothing that matters. Without it (and `all`): what is meaningful, and failures',
  ),
  all: flag('true: every look at every page, whatever it found'),
  ...PageQuery(25),
})
