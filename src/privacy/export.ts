import type { Deps } from '../deps/deps.ts'
import { profileUrlKey } from '../engine/people/profile-url.ts'
import type { FoundPassage } from '../engine/redact/index.ts'
import { likePattern } from '../engine/text/fold.ts'
import { LimitExceeded } from '../engine/threads/pool.ts'
import { nameWords, surnamesOf } from '../people/name-forms.ts'
import { storedIdentifiers } from '../people/redact/identifiers.ts'
import { getPerson } from '../resources/people/store.ts'
import type { Viewer } from '../shared/member.ts'
import type { PersonExport } from './export-schema.ts'
import * as store from './export-store.ts'

const PAGE_SIZE = 100

/**
 * Returns everything stored about a person, in pages of a hundred records of each kind. Texts are searched with the rules of
 * an erasure. Throws not_found.
 */
export async function exportPerson(
  { db, parserPool }: Pick<Deps, 'db' | 'parserPool'>,
  viewer: Viewer,
  id: string,
  page: number,
): Promise<PersonExport> {
  const workspaceId = viewer.workspace_id
  const held = await store.getStoredPerson(db, viewer, id)
  const part = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
  const emails = [held.email, held.given_email, held.published_email].flatMap((one) => (one ? [one.toLowerCase()] : []))
  const patterns = patternsOf(held, emails)
  const others = await store.findSamePerson(db, viewer, held, emails, part)
  const lists = await store.findListsOfPerson(db, workspaceId, id, part)
  const moves = await store.findMovesOfPerson(db, workspaceId, id, part)
  const { history } = await getPerson(db, viewer, id)
  const searches = await store.findSearchesOfPerson(db, viewer, id, part)
  const crm = await store.findCrmRecordsOfPerson(db, workspaceId, id, part)
  const contacts = await store.findPulledContactsOfPerson(db, workspaceId, id, part)
  const pushes = await store.findPushesOfPerson(db, workspaceId, id, part)
  const activities = await store.findActivitiesOfPerson(db, workspaceId, id, part)
  const deliveries = await store.findDeliveriesOfPerson(db, workspaceId, id, part)
  const audit = await store.findAuditOfPerson(db, workspaceId, id, part)
  const documents = await store.findDocumentsNaming(db, workspaceId, held.account_id, patterns, part)
  const detections = await store.findDetectionsNaming(db, workspaceId, patterns, part)
  const events = await store.findMonitorEventsNaming(db, workspaceId, held.account_id, patterns, part)
  const marked = await store.findExamplesNaming(db, workspaceId, patterns, part)
  const { kept, searched } = await store.countDocuments(db, workspaceId, held.account_id)
  const passagesIn = passageFinder({ parserPool }, workspaceId, held)
  const named = await withPassages(detections, (one) => passagesIn(one.account_id, textsOf(one)))
  const alerts = await store.findAlertsAbout(
    db,
    workspaceId,
    [...named, ...moves].map(({ id }) => id),
  )
  const { why_now_md, short_description } = held
  return {
    person: held,
    account: {
      id: held.account_id,
      name: held.account_name,
      domain: held.domain,
      passages: await passagesIn(held.account_id, { why_now_md, short_description }),
    },
    owner: held.owner_id && held.owner_name ? { id: held.owner_id, name: held.owner_name } : null,
    contact_points: contactPointsOf(held),
    other_records: others,
    history: page === 1 ? history : [],
    moves,
    lists,
    searches,
    crm_records: crm,
    crm_contacts: contacts,
    pushes,
    activities,
    deliveries,
    audit_entries: audit,
    documents: (
      await withPassages(documents, ({ account_id, title, text, url }) => passagesIn(account_id, { title, text, url }))
    ).map(({ title: _, text: __, ...one }) => one),
    detections: named,
    alerts,
    monitor_events: (
      await withPassages(events, ({ account_id, reason, url }) => passagesIn(account_id, { reason, url }))
    ).map(({ reason: _, ...one }) => one),
    signal_examples: (await withPassages(marked, ({ sentence }) => passagesIn(held.account_id, { sentence }))).map(
      ({ sentence: _, ...one }) => one,
    ),
    documents_searched: searched,
    documents_kept: kept,
    page,
    has_more: [
      others,
      moves,
      lists,
      searches,
      contacts,
      pushes,
      activities,
      deliveries,
      audit,
      documents,
      detections,
      events,
      marked,
    ].some((rows) => rows.length === PAGE_SIZE),
  }
}

/** Returns LIKE patterns, one of which matches every text that names the person: surnames, email addresses, profile page. */
function patternsOf({ full_name, network_url }: store.StoredPerson, emails: string[]): string[] {
  const surnames = surnamesOf(full_name)
  const [longest = full_name] = nameWords(full_name).toSorted((a, b) => b.length - a.length)
  const page = network_url && profileUrlKey(network_url)?.replace(/\?.*$/, '')
  const pages = page ? [page, page.replace(/^twitter\.com/, 'x.com')] : []
  const parts = [...(surnames.length > 0 ? surnames : [longest]), ...emails, ...pages]
  return [...new Set(parts.map((one) => likePattern(one.replaceAll(/['’ʼ]/g, ''))))]
}

/** Returns a function that finds passages about the person in texts of an account, with the rules of redaction. */
function passageFinder({ parserPool }: Pick<Deps, 'parserPool'>, workspaceId: string, held: store.StoredPerson) {
  const identifiers = storedIdentifiers(held)
  const scopes = [{ id: held.account_id, name: held.account_name, company: held.domain ?? held.account_name }]
  return async (accountId: string, texts: Record<string, string | null>): Promise<FoundPassage[]> => {
    const own = accountId === held.account_id ? [accountId] : []
    const blame = `passages ${crypto.randomUUID()}`
    const found = await parserPool.run(
      'passages',
      { sought: { marks: identifiers, own, scopes }, texts },
      { from: workspaceId, blame },
    )
    // Reported, because an empty result would mean that the text does not name the person.
    return found instanceof LimitExceeded ? [{ field: 'text', text: `This was not searched. ${found.reason}` }] : found
  }
}

/** Returns the rows that name the person, with the passages. */
async function withPassages<R extends object>(rows: readonly R[], passagesIn: (row: R) => Promise<FoundPassage[]>) {
  const found = await Promise.all(rows.map(async (row) => ({ ...row, passages: await passagesIn(row) })))
  return found.filter(({ passages }) => passages.length > 0)
}

type Detected = Awaited<ReturnType<typeof store.findDetectionsNaming>>[number]

function textsOf({ headline, narrative, why_reach_out_md, drafted_message_md, draft, evidence, key_facts }: Detected) {
  const proofs = evidence.flatMap(({ claim, quote, source_url }, at) => [
    [`evidence.${at}.claim`, claim] as const,
    [`evidence.${at}.quote`, quote ?? null] as const,
    [`evidence.${at}.source_url`, source_url] as const,
  ])
  const facts = key_facts.join('\n')
  const message = draft?.to
    ? [draft.to.full_name, draft.message?.short_message, draft.message?.call_opener].join('\n')
    : null
  return {
    ...{ headline, narrative, why_reach_out_md, drafted_message_md, draft: message, key_facts: facts },
    ...Object.fromEntries(proofs),
  }
}

function contactPointsOf(held: store.StoredPerson): PersonExport['contact_points'] {
  const { email, email_source, email_checked_at, email_note, given_email, published_email, published_url } = held
  const { phone, phone_source, phone_checked_at, phone_note, phone_url } = held
  const { found_phone, found_phone_source, found_phone_url } = held
  const plain = { source_url: null, checked_at: null, note: null }
  const points = [
    {
      ...plain,
      type: 'email' as const,
      value: email,
      verified: true,
      source: email_source,
      checked_at: email_checked_at,
      note: email_note,
    },
    { ...plain, type: 'email' as const, value: given_email, verified: false, source: 'import or vendor' },
    {
      ...plain,
      type: 'email' as const,
      value: published_email,
      verified: false,
      source: 'company page',
      source_url: published_url,
    },
    {
      ...plain,
      type: 'phone' as const,
      value: phone,
      verified: false,
      source: phone_source,
      source_url: phone_url,
      checked_at: phone_checked_at,
      note: phone_note,
    },
    {
      ...plain,
      type: 'phone' as const,
      value: found_phone,
      verified: false,
      source: found_phone_source,
      source_url: found_phone_url,
    },
  ]
  return points.flatMap((point) => (point.value === null ? [] : [{ ...point, value: point.value }]))
}
