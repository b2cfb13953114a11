import type { Deps } from '../../deps/deps.ts'
import { canNameCompany, coreWords } from '../../engine/companies/company-names.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { isSameCompany, mentionsCompanyDomain } from '../../providers/company-proof.ts'
import { STREAMS } from '../../providers/streams/index.ts'
import { type ProviderParts, toProviderDeps } from '../../providers/types.ts'
import { noteMoves, type ToldDocument } from '../moves/from-document.ts'
import { isAnybodyKnown } from '../moves/known-people-store.ts'
import { findHolders, type Holder } from './holder-store.ts'
import { countFailure, type KeptItem, listUnmatched, markMatched, saveOpened } from './item-store.ts'
import { lookAtItems } from './look-at-items.job.ts'

const BATCH = 200

/**
 * Finds out whose it is what streams told, once for all accounts of all workspaces, and has it looked through for each of
 * them. A name alone is nobody's: what does not prove whose it is touches no account.
 */
export async function matchItems(deps: Deps, signal: AbortSignal): Promise<{ items: number; matches: number }> {
  const { db, jobs } = deps
  let [items, matches, after] = [0, 0, 0]
  const hasPeople = await isAnybodyKnown(db)
  for (;;) {
    signal.throwIfAborted()
    const batch = await listUnmatched(db, after, BATCH)
    const last = batch.at(-1)
    if (!last) return { items, matches }
    after = last.id
    const { proven, done, opened } = await proveHolders(deps, batch, signal, hasPeople)
    await noteMoves(deps, opened.filter(isOfPeople).map(toldBy), signal)
    await db.transaction().execute(async (db) => {
      // Of two that match at the same time, one has them looked at.
      const own = new Set(await markMatched(db, done))
      const held = proven.filter(({ item_id }) => own.has(item_id))
      await jobs.enqueueAll(db, lookAtItems, payloadsOf(held))
    })
    items += done.length
    matches += proven.length
  }
}

/** A job for each account, with all that is about it. */
function payloadsOf(held: readonly Holder[]) {
  const byAccount = Map.groupBy(held, ({ workspace_id, account_id }) => `${workspace_id} ${account_id}`)
  return [...byAccount.values()].map((items) => {
    const [{ workspace_id, account_id }] = items as [Holder]
    return { workspace_id, account_id, item_ids: items.map(({ item_id }) => item_id) }
  })
}

/** Which items are whose for certain. Those that could not be opened are not done: the next pass tries them again. */
async function proveHolders(
  parts: Pick<Deps, 'db'> & ProviderParts,
  batch: readonly KeptItem[],
  signal: AbortSignal,
  hasPeople: boolean,
) {
  const asked = batch.map(({ id, company, document, hints }) => ({
    id,
    keys: namesIn(document.title ?? ''),
    domains: [...new Set([company.domain, ...(hints?.named ?? [])])].filter((domain) => domain !== null),
  }))
  const holders = Map.groupBy(await findHolders(parts.db, asked), ({ item_id }) => item_id)
  const proven: Holder[] = []
  const done: number[] = []
  const opened: KeptItem[] = []
  for (const given of batch) {
    const held = holders.get(given.id) ?? []
    const isOfInterest = held.length > 0 || (hasPeople && isOfPeople(given))
    const item = isOfInterest ? await openItem(parts, given, signal) : given
    if (item === 'later') {
      await countFailure(parts.db, given.id)
      continue
    }
    done.push(given.id)
    if (item === 'dropped') continue
    if (isOfInterest) opened.push(item)
    proven.push(...held.filter((holder) => isAbout(item, holder)))
  }
  return { proven, done, opened }
}

/** Who comes and goes is looked for among the people of all workspaces, whatever company it is about. */
const isOfPeople = ({ about }: KeptItem) => about.includes('leadership_change')

function toldBy({ stream, company, document, hints }: KeptItem): ToldDocument {
  return { company, document, source: stream, ...(hints && { hints }) }
}

/** The item with its whole text, which is fetched once and kept for everybody. */
export async function openItem(
  parts: Pick<Deps, 'db'> & ProviderParts,
  item: KeptItem,
  signal: AbortSignal,
): Promise<KeptItem | 'dropped' | 'later'> {
  const stream = STREAMS.get(item.stream)
  if (item.is_whole || !stream?.open) return item
  const opened = await stream.open(toProviderDeps(parts, signal), item)
  if (opened.outcome === 'failed') return 'later'
  await saveOpened(parts.db, item.id, opened)
  if (opened.outcome === 'dropped') return 'dropped'
  return { ...item, document: opened.document, hints: opened.hints, is_whole: true, is_opened: true }
}

/**
 * Whether an item is about the account, and not about a namesake. What could not be opened might have named another site: then a
 * name is proof only of what a public body has on record.
 */
export function isAbout(item: KeptItem, { name, domain, is_subject }: Pick<Holder, 'name' | 'domain' | 'is_subject'>) {
  const { company, document, hints } = item
  const named = [...(company.domain ? [company.domain] : []), ...(hints?.named ?? [])]
  const text = `${document.title ?? ''}\n${document.text}`
  const isNamed = mentionsCompanyDomain({ name, domain }, named, text)
  if (!is_subject || (!item.is_opened && !document.tells?.length)) return isNamed
  return isNamed || isSameCompany({ name, domain }, { name: company.name, named, text })
}

const MOST_WORDS = 4
const MOST_NAMES = 40
/** What stands before the name of another company in a headline. */
const BEFORE_NAMES = new Set(
  (
    'with by from to of for and at into between via joins join joining acquires acquire acquired acquiring buys buy selects ' +
    'select chooses choose taps picks partners names sells supplies customer client partner subsidiary'
  ).split(' '),
)

/** What may be names of companies in a headline, as keys: up to four words, at its beginning or after what leads to a name. */
function namesIn(title: string): string[] {
  const words = title.split(/[^\p{L}\p{N}&’'.-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const keys = new Set<string>()
  words.forEach((word, from) => {
    const before = words[from - 1]?.toLowerCase()
    if (!/^[\p{Lu}\p{N}]/u.test(word) || (before !== undefined && !BEFORE_NAMES.has(before))) return
    for (let to = from + 1; to <= Math.min(from + MOST_WORDS, words.length) && keys.size < MOST_NAMES; to++) {
      const core = coreWords(
        searchFold(
          words
            .slice(from, to)
            .join(' ')
            .replace(/[’']s$/, ''),
        ),
      )
      if (canNameCompany(core)) keys.add(core.join(' '))
    }
  })
  return [...keys]
}
