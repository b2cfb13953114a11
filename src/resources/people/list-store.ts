import type { Static } from 'typebox'
import { Conditions } from '../../db/conditions.ts'
import type { Db } from '../../db/connect.ts'
import { emptyPage, type ListPage, type ListReader, readListPage, streamRows } from '../../db/page-query.ts'
import { textForm } from '../../db/record-text.ts'
import { visibleCondition } from '../../db/visibility.ts'
import { isId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'
import type { PeopleQuery, Person } from './schema.ts'
import { PERSON_COLUMNS, PERSON_COMPUTED_SQL } from './store.ts'

type Listed = Static<typeof Person>
type Filters = Omit<PeopleQuery, 'page' | 'per_page'>

const FORM = textForm([...PERSON_COLUMNS, ...Object.keys(PERSON_COMPUTED_SQL)], {
  id: 'word',
  account_id: 'word',
  email_checked_at: 'time',
  phone_checked_at: 'time',
  connections_count: 'number',
  icp_tier: 'number',
  ranking: 'number',
  owner_id: 'word',
  created_at: 'time',
  source: 'word',
  sources: 'texts',
  email_status: 'word',
  left_on: 'word',
})

const HAS_SOURCE = {
  employee: "'employee' = any(people.sources)",
  waterfall: "'waterfall' = any(people.sources)",
  crm: "'crm' = any(people.sources)",
}
const WITH_EMAIL_STATUS = {
  verified: 'email is not null',
  not_found: 'email is null and email_checked_at is not null',
  unchecked: 'email is null and email_checked_at is null',
}

/** Returns a page of people as JSON text. */
export async function listPeople(db: Db, viewer: Viewer, filters: PeopleQuery, reader: ListReader): Promise<ListPage> {
  const query = peopleQuery(viewer, filters)
  return query ? readListPage(db, query, filters, reader) : emptyPage(filters)
}

/** Yields all people who match the filters and whom the viewer may see, for an export. */
export async function* streamPeople(db: Db, viewer: Viewer, filters: Filters): AsyncGenerator<Listed> {
  const query = peopleQuery(viewer, filters)
  if (query) yield* streamRows<Listed>(db, query)
}

/** Returns null when a filter contains an invalid id, so that no person can match. */
function peopleQuery(viewer: Viewer, filters: Filters) {
  const {
    account_id,
    job_level,
    country_code,
    source,
    has_email,
    email_status,
    list_id,
    owner_id,
    search,
    sort,
    order,
  } = filters
  if ([account_id, list_id, owner_id].some((id) => id !== undefined && !isId(id))) return null
  const where = new Conditions('people', viewer.workspace_id)
  const value = (given: unknown) => where.value(given)
  const visible = visibleCondition(viewer, value)
  if (visible) where.and(visible)
  if (account_id) where.and(`account_id = ${value(account_id)}`)
  if (job_level) where.and(`job_level = ${value(job_level)}`)
  if (country_code) where.and(`country_code = ${value(country_code.toUpperCase())}`)
  // A literal, because PostgreSQL uses a partial index only for its exact condition.
  if (source) where.and(HAS_SOURCE[source])
  if (has_email !== undefined) where.and(has_email ? 'email is not null' : 'email is null')
  if (email_status) where.and(WITH_EMAIL_STATUS[email_status])
  if (owner_id) where.and(`people.owner_id = ${value(owner_id)}`)
  if (list_id) {
    where.andSelective(`people.id in (select person_id from people_list_members as saved
      where saved.workspace_id = $1 and saved.list_id = ${value(list_id)})`)
  }
  if (search) where.andContaining(search, (pattern) => `search_text like ${pattern}`)
  return {
    // Who owns an account decides who sees its people.
    lists: viewer.scoped_to === null ? ['people' as const] : ['accounts' as const, 'people' as const],
    // Each is shown with the name of their account.
    shownFrom: viewer.scoped_to === null ? ['accounts' as const] : [],
    columns: PERSON_COLUMNS,
    computed: PERSON_COMPUTED_SQL,
    form: FORM,
    table: 'people',
    where,
    orderBy: `people.${sort} ${order}, people.id ${order}`,
  }
}
