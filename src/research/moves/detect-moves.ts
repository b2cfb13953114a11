import type { MoveSource } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import type { NamedText } from '../../engine/named-people/index.ts'
import type { ReportedMove } from '../../engine/named-people/moves.ts'
import { registrableDomainOrHost } from '../../engine/text/web-address.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { isBoardSeat } from '../../engine/titles/board-seats.ts'
import { isDifferentRole } from '../../engine/titles/index.ts'
import { defineJob } from '../../jobs/define.ts'
import { nameKeys } from '../../people/name-forms.ts'
import type { CompanyRef, FoundDocument, SiteHints } from '../../providers/types.ts'
import { findAccount } from '../../resources/accounts/store.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { yieldToEventLoop } from '../../shared/event-loop.ts'
import { findNamesakes, listDatedDocuments, type Namesake } from './known-people-store.ts'
import { type FoundMove, recordFoundMoves } from './record-moves.ts'

/**
 * A document about a company, which need not be an account. The company's domain is set only where it is proven;
 * `hints` may lead to it.
 */
export type CompanyDocument = { company: CompanyRef; document: FoundDocument; source?: string; hints?: SiteHints }

/** Older moves are not news and may be outdated. */
const MOVE_DAYS = 365
/** The number of documents whose names are looked up in one query. */
const BATCH = 50

type Read = CompanyDocument & { text: NamedText; moves: ReportedMove[] }

/**
 * Detects people in documents who joined the company, changed their role or left it. They are matched with the people
 * of one workspace (`onlyIn`), or of all where the documents are public: research of one team must not reach another.
 * Records their moves, queues alerts, and suggests companies that contacts have joined. Idempotent. A document that
 * cannot be read is logged and skipped. Throws when the signal aborts.
 */
export async function detectMoves(
  deps: Deps,
  documents: readonly CompanyDocument[],
  signal: AbortSignal,
  onlyIn: string | null = null,
): Promise<void> {
  const today = isoDate(deps.now())
  const since = daysBefore(today, MOVE_DAYS)
  // An undated document does not prove when the move happened.
  const dated = documents.filter(
    ({ document: { published_date: day } }) => day !== null && day >= since && day <= today,
  )
  for (let at = 0; at < dated.length; at += BATCH) {
    signal.throwIfAborted()
    const read = await Promise.all(dated.slice(at, at + BATCH).map((one) => readDocument(deps, one, signal)))
    const reporting = read.filter((one) => one !== null && one.moves.length > 0) as Read[]
    const names = [...new Set(reporting.flatMap(({ moves }) => moves.map(({ full_name }) => full_name)))]
    const people = names.length > 0 ? await findNamesakes(deps.db, onlyIn, names) : []
    const byName = await namesakesOf(people)
    const moves: (FoundMove & { workspace_id: string })[] = []
    for (const one of people.length > 0 ? reporting : []) moves.push(...(await movesIn(deps, one, byName, signal)))
    for (const [workspaceId, found] of Map.groupBy(moves, ({ workspace_id }) => workspace_id)) {
      await recordFoundMoves(deps, workspaceId, found, today, signal)
    }
  }
}

async function readDocument(deps: Deps, one: CompanyDocument, signal: AbortSignal): Promise<Read | null> {
  const { company, document } = one
  const { title, url, kind } = document
  const text: NamedText = { title, text: document.text, own: kind === 'filing' }
  const moves = await deps.parserPool.run(
    'moves',
    { text, company, day: document.published_date },
    { ...placeFor(company, url), signal },
  )
  if (!(moves instanceof LimitExceeded)) return { ...one, text, moves }
  deps.log.warn({ url, reason: moves.reason }, 'move detection failed in a document')
  return null
}

/** Limits failures per text, so that they affect neither other texts nor the pages of the site. */
function placeFor({ name, domain }: CompanyRef, url: string) {
  const from = `people ${domain ?? name}`
  return { from, blame: `${from} ${registrableDomainOrHost(url)}` }
}

/** Indexes people by each form of their name. Thousands of people may have the same name. */
async function namesakesOf(people: readonly Namesake[]): Promise<Map<string, Namesake[]>> {
  const byName = new Map<string, Namesake[]>()
  const turn = yieldToEventLoop()
  for (const person of people) {
    await turn()
    for (const key of nameKeys(person.full_name)) {
      const known = byName.get(key)
      if (known) known.push(person)
      else byName.set(key, [person])
    }
  }
  return byName
}

/** The moves of known people in one document. A name match alone proves nothing. */
async function movesIn(deps: Deps, read: Read, byName: ReadonlyMap<string, Namesake[]>, signal: AbortSignal) {
  const moves: (FoundMove & { workspace_id: string })[] = []
  const turn = yieldToEventLoop()
  for (const reported of read.moves) {
    await turn()
    const people = new Set(nameKeys(reported.full_name).flatMap((key) => byName.get(key) ?? []))
    // Two people of the same name at one company cannot be distinguished.
    const only = [...Map.groupBy(people, ({ account_id }) => account_id).values()].flatMap((of) =>
      of.length === 1 ? of : [],
    )
    for (const person of only.filter((one) => isAt(one, read.company)))
      moves.push(...movesWithinCompany(read, reported, person))
    // A company of the same name may be this company under another domain.
    const elsewhere = only.filter(({ company }) => companyKey(company) !== companyKey(read.company.name))
    const others = elsewhere.filter((one) => !isAt(one, read.company))
    if (reported.kind === 'in_office' && reported.is_appointed && !isBoardSeat(reported.title) && others.length > 0)
      moves.push(...(await joinedMoves(deps, read, reported, others, signal)))
  }
  return moves
}

function isAt({ company, domain }: Namesake, about: CompanyRef): boolean {
  if (domain && about.domain) return domain === about.domain
  return companyKey(company) === companyKey(about.name)
}

/** The move of a person at the company that the document is about. A document older than the stored data is ignored. */
function movesWithinCompany(
  read: Read,
  reported: ReportedMove,
  person: Namesake,
): (FoundMove & { workspace_id: string })[] {
  if ((read.document.published_date ?? '') < person.known_on) return []
  const from = jobOf(person)
  if (reported.kind === 'leaving')
    return [moveOf(read, person, { kind: 'left', from, to: null, is_gone: reported.is_over }, [reported.quote])]
  if (!reported.is_appointed || !person.title || !isDifferentRole(person.title, reported.title)) return []
  const to = { ...from, title: reported.title }
  return [moveOf(read, person, { kind: 'changed_role', from, to, is_gone: false }, [reported.quote])]
}

/** The people whose former company the document names as well. */
async function joinedMoves(
  deps: Deps,
  read: Read,
  reported: Extract<ReportedMove, { kind: 'in_office' }>,
  people: readonly Namesake[],
  signal: AbortSignal,
) {
  const { company, document, text } = read
  const companies = people.map(({ company: name, domain }) => ({ name, domain }))
  const task = { text, full_name: reported.full_name, is_only_one: read.moves.length === 1, companies }
  const proofs = await deps.parserPool.run('former', task, { ...placeFor(company, document.url), signal })
  if (proofs instanceof LimitExceeded) {
    deps.log.warn({ url: document.url, reason: proofs.reason }, 'move detection failed in a document')
    return []
  }
  const to = { employer: company.name, domain: company.domain, account_id: null, title: reported.title }
  return people.flatMap((person, at) => {
    const proof = proofs[at]
    // A board seat may be held in parallel.
    if (!proof || (person.title && isBoardSeat(person.title))) return []
    const move = { kind: 'joined' as const, from: jobOf(person), to, is_gone: true }
    return [moveOf(read, person, move, [...new Set([reported.quote, proof])])]
  })
}

const jobOf = ({ company, domain, account_id, title }: Namesake) => ({ employer: company, domain, account_id, title })

function moveOf(
  { document, source = registrableDomainOrHost(document.url), hints }: Read,
  { workspace_id, id, account_id }: Namesake,
  move: Pick<FoundMove, 'kind' | 'from' | 'to' | 'is_gone'>,
  quotes: readonly string[],
) {
  const { url, published_date } = document
  const evidence = quotes.map((quote): MoveSource => ({ url, source, quote, seen_on: published_date as string }))
  const from = { document, source, ...(hints ? { hints } : {}) }
  return { ...move, ...from, workspace_id, person_id: id, account_id, happened_on: null, evidence }
}

type Payload = { workspace_id: string; account_id: string; document_ids: string[] }

/** Detects moves in new documents of an account. */
export const detectMovesInDocuments = defineJob<Payload>({
  name: 'note-moves',
  async run(deps, { workspace_id, account_id, document_ids }, { signal }) {
    const account = await findAccount(deps.db, workspace_id, account_id)
    if (!account) return
    const since = daysBefore(isoDate(deps.now()), MOVE_DAYS)
    const documents = await listDatedDocuments(deps.db, workspace_id, document_ids, since)
    const { name, domain } = account
    const sourced = documents.map(({ source, ...document }) => ({ company: { name, domain }, document, source }))
    await detectMoves(deps, sourced, signal, workspace_id)
  },
})

/** Call it in the transaction that stores the documents. */
export async function enqueueMoveDetection(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  accountId: string,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0) return
  const payload = { workspace_id: workspaceId, account_id: accountId, document_ids: [...documentIds] }
  await jobs.enqueue(db, detectMovesInDocuments, payload)
}
