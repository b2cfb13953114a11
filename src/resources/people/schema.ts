import { type Static, Type } from 'typebox'
import { JOB_LEVELS } from '../../engine/titles/index.ts'
import { Body, Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'
import { HISTORY_EXAMPLE, HistoryJob } from './history-schema.ts'

const jobLevel = OneOf([...JOB_LEVELS])
const SOURCES = ['employee', 'waterfall', 'crm'] as const
const source = OneOf([...SOURCES], {
  description:
    'waterfall: a search matched or added the person, even if a roster contains them; employee: a roster or an import contains them; crm (an extension): only a CRM contains them',
})
const beyond = { 'x-extension': true }
const emailStatus = OneOf(['verified', 'not_found', 'unchecked'], {
  description:
    'verified: the address is verified; not_found: no address was found; unchecked: not looked up yet, or the lookup failed',
  ...beyond,
})

const fields = {
  id: Type.String(),
  account_id: Type.String(),
  full_name: Type.String(),
  title: Nullable(Type.String()),
  headline: Nullable(Type.String()),
  network_url: Nullable(Type.String()),
  email: Nullable(Type.String({ description: 'A verified work email' })),
  email_checked_at: Nullable(Timestamp()),
  phone: Nullable(Type.String()),
  phone_checked_at: Nullable(Timestamp()),
  location: Nullable(Type.String()),
  country_code: Nullable(Type.String()),
  connections_count: Nullable(Type.Integer()),
  profile_picture_url: Nullable(Type.String()),
  job_level: Nullable(jobLevel),
  source,
  icp_tier: Nullable(
    Type.Integer({
      description:
        'Tier in the latest search that returned the person; 1 is the ideal role. A search does not change it for people it does not return. null: no search returned them',
    }),
  ),
  ranking: Nullable(Type.Integer({ description: 'How close the role is to your personas; 1 is closest' })),
  owner_id: Nullable(Type.String()),
  created_at: Timestamp(),
  account_name: Type.String({ description: 'Extension: the name of the account' }),
  sources: Type.Array(OneOf([...SOURCES]), {
    description: 'All sources of the person, oldest first',
    ...beyond,
  }),
  email_status: emailStatus,
  email_reason: Nullable(Type.String({ description: 'Extension: why the latest lookup found no email' })),
  phone_reason: Nullable(Type.String({ description: 'Extension: why the latest lookup found no number' })),
  left_on: Nullable(
    Type.String({
      format: 'date',
      description: 'Extension: the first day on which a source reports that the person left',
    }),
  ),
}

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90',
  account_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
  full_name: 'Mara Lindqvist',
  title: 'VP Operations',
  headline: 'Moving freight to rail',
  network_url: 'https://network.example/in/mara-lindqvist',
  email: 'mara.lindqvist@northwind.example',
  email_checked_at: '2026-11-10T09:00:00.000Z',
  phone: null,
  phone_checked_at: null,
  location: 'Hamburg',
  country_code: 'DE',
  connections_count: 500,
  profile_picture_url: null,
  job_level: 'VP',
  source: 'employee',
  icp_tier: null,
  ranking: 1,
  owner_id: null,
  created_at: '2026-11-01T08:00:00.000Z',
  account_name: 'Northwind Freight',
  sources: ['employee'],
  email_status: 'verified',
  email_reason: null,
  phone_reason: 'No number of theirs is known.',
  left_on: null,
}

export const Person = Rec('Person', fields, example)
export const PersonWithLists = Rec(
  'PersonWithLists',
  {
    ...fields,
    list_ids: Type.Array(Type.String()),
    email_source: Nullable(OneOf(['published', 'smtp', 'zerobounce'], { description: 'How the email was verified' })),
    phone_url: Nullable(
      Type.String({ description: 'The company page that shows the number with the person', 'x-extension': true }),
    ),
    title_history: Type.Array(Type.Object({ title: Type.String(), until: Type.String({ format: 'date' }) }), {
      description: 'Previous titles, oldest first',
    }),
    found_source: Nullable(Type.String({ description: 'The source from which a search added the person' })),
    found_url: Nullable(Type.String({ description: 'The page or document that names the person' })),
    history: Type.Array(HistoryJob, {
      description: 'Extension: employment history, as far as rosters, filings and news report it',
    }),
  },
  {
    ...example,
    list_ids: ['019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d95'],
    email_source: 'smtp',
    phone_url: null,
    title_history: [{ title: 'Director Operations', until: '2026-03-01' }],
    found_source: null,
    found_url: null,
    history: HISTORY_EXAMPLE,
  },
)

export const PeopleQuery = Type.Object({
  account_id: Type.Optional(Type.String({ description: 'Only people at this account' })),
  job_level: Type.Optional(jobLevel),
  country_code: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Two letters, such as DE' })),
  source: Type.Optional(
    OneOf([...SOURCES], {
      description:
        'employee: people from a roster or an import; waterfall: people a search matched or added; crm: contacts of a CRM. A person may be several',
    }),
  ),
  has_email: Type.Optional(Type.Boolean({ description: 'Only people with, or without, a verified email' })),
  email_status: Type.Optional(emailStatus),
  list_id: Type.Optional(Type.String({ description: 'Only people saved to this list' })),
  owner_id: Type.Optional(Type.String({ description: 'Only people of this owner' })),
  search: Type.Optional(Type.String({ maxLength: 300, description: 'Substring of name, title or headline' })),
  sort: Type.Unsafe<'created_at' | 'full_name'>(OneOf(['created_at', 'full_name'], { default: 'created_at' })),
  order: Type.Unsafe<'asc' | 'desc'>(OneOf(['asc', 'desc'], { default: 'desc' })),
  ...PageQuery(50),
})
export type PeopleQuery = Static<typeof PeopleQuery>

export const SetPersonOwner = Body(
  'SetPersonOwner',
  { owner_id: Type.Optional(Nullable(Type.String({ maxLength: 100 }))) },
  { owner_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80' },
)

const MAX_ACCOUNTS = 50
const query = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
  description: 'The people to find, in plain English',
})

export const FindPeople = Body(
  'FindPeople',
  {
    query,
    account_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 1000,
        description: `All of them are searched. More than ${MAX_ACCOUNTS}, or than max_accounts if given, are rejected`,
      }),
    ),
    max_accounts: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: `How many of the latest active accounts to search, 20 by default, at most ${MAX_ACCOUNTS}`,
      }),
    ),
    search_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Extension: a new id under which you can read the search while it runs; generated if absent',
      }),
    ),
  },
  // check-words-ignore: a sample request in the words of a user.
  { query: 'VP of Sales or whoever runs revenue', max_accounts: 20 },
)

const cascade = Type.Array(
  Type.Object({
    tier: Type.Integer(),
    label: Type.String(),
    titles: Type.Array(Type.String()),
    job_levels: Type.Array(jobLevel),
  }),
)

export const PreviewFindPeople = Body(
  'PreviewFindPeople',
  { query },
  { query: 'CFO in Germany, otherwise the controller' },
)

export const UnderstoodRequest = Rec(
  'UnderstoodRequest',
  {
    cascade,
    names: Type.Array(Type.String(), { description: 'Names, one of which the person must have' }),
    places: Type.Array(Type.String(), { description: 'Places, one of which must be the person’s' }),
    credentials: Type.Array(Type.String(), { description: 'Required degrees and certificates' }),
    without: Type.Array(Type.String(), { description: 'Terms that exclude a person' }),
    message: Nullable(Type.String({ description: 'Why the request can find no one; null otherwise' })),
    notice: Nullable(Type.String({ description: 'Set if the search may understand the request differently' })),
  },
  {
    cascade: [{ tier: 1, label: 'ideal', titles: ['Chief Financial Officer', 'CFO'], job_levels: ['C-Team'] }],
    names: [],
    places: ['Germany'],
    credentials: [],
    without: [],
    message: null,
    notice: null,
  },
)

const problems = Type.Array(Type.Object({ account_id: Type.String(), message: Type.String() }), {
  description: 'What failed, and at which account',
})

const FoundContact = Type.Object({
  ...fields,
  icp_tier: Type.Integer({ description: 'Tier in this search' }),
  email_reason: Nullable(Type.String({ description: 'Why no email could be verified; null if there is one' })),
  found_source: Nullable(
    Type.String({ description: 'The source from which a search added the person; null: a roster' }),
  ),
  found_url: Nullable(Type.String({ description: 'The page or document that names the person' })),
})

export const FoundPeople = Rec(
  'FoundPeople',
  {
    found: Type.Integer(),
    found_with_email: Type.Integer({ description: 'How many of the contacts have a verified email', ...beyond }),
    accountsSearched: Type.Integer(),
    tiers: Type.Integer(),
    cascade,
    contacts: Type.Array(FoundContact),
    search_id: Type.String({ description: 'Id under which this result is stored' }),
    message: Nullable(Type.String({ description: 'Why no person was found; null if there are contacts' })),
    complete: Type.Boolean({
      description: 'Whether every account was searched and every address looked up before the timeout',
    }),
    problems,
    notice: Nullable(
      Type.String({
        description: 'Why no address can be verified, or that the language model failed; null otherwise',
      }),
    ),
  },
  {
    found: 1,
    found_with_email: 1,
    accountsSearched: 1,
    tiers: 1,
    cascade: [{ tier: 1, label: 'Head of operations', titles: ['VP Operations'], job_levels: ['VP'] }],
    contacts: [
      {
        ...example,
        source: 'waterfall',
        sources: ['waterfall'],
        icp_tier: 1,
        email_reason: null,
        found_source: 'company pages',
        found_url: 'https://northwind.example/news/new-vp-operations',
      },
    ],
    search_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d99',
    message: null,
    complete: true,
    problems: [],
    notice: null,
  },
)

export const PeopleSearch = Rec(
  'PeopleSearch',
  {
    id: Type.String(),
    query: Type.String(),
    created_at: Timestamp(),
    state: OneOf(['running', 'finished', 'interrupted'], {
      description: 'interrupted: the search stopped before it finished',
    }),
    accounts: Type.Integer({ description: 'Number of accounts to search' }),
    accounts_done: Type.Integer({ description: 'Number of accounts finished, including email lookups' }),
    finished_at: Nullable(Timestamp()),
    problems,
    contacts: Type.Array(Person, { description: 'People found so far, each with the tier of this search' }),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d99',
    query: 'VP of Operations',
    created_at: '2026-11-10T09:00:00.000Z',
    state: 'finished',
    accounts: 20,
    accounts_done: 20,
    finished_at: '2026-11-10T09:01:10.000Z',
    problems: [],
    contacts: [{ ...example, icp_tier: 1 }],
  },
)

export const SyncPeople = Body(
  'SyncPeople',
  { account_id: Type.String({ maxLength: 100 }) },
  { account_id: example.account_id },
)
export const SyncedPeople = Rec(
  'SyncedPeople',
  {
    account_id: Type.String(),
    synced: Type.Integer(),
    sources: Type.Array(
      Type.Object({
        name: Type.String(),
        outcome: OneOf(['items', 'nothing', 'failed']),
        people: Type.Integer(),
        reason: Nullable(Type.String({ description: 'Why it failed' })),
      }),
      { description: 'The outcome of each source' },
    ),
  },
  {
    account_id: example.account_id,
    synced: 12,
    sources: [{ name: 'company pages', outcome: 'items', people: 12, reason: null }],
  },
)
const reason = Nullable(Type.String({ description: 'Why there is no result' }))

export const RevealedEmail = Rec(
  'RevealedEmail',
  { id: Type.String(), email: fields.email, reason },
  { id: example.id, email: example.email, reason: null },
)
export const RevealedPhone = Rec(
  'RevealedPhone',
  {
    id: Type.String(),
    phone: fields.phone,
    phone_url: Nullable(
      Type.String({
        description: 'The company page that shows the number with the person',
        'x-extension': true,
      }),
    ),
    reason,
  },
  { id: example.id, phone: '+14155550100', phone_url: 'https://northwind.example/team', reason: null },
)
