import type { Db } from '../db/connect.ts'
import {
  areMutuallyExclusive,
  isPaidProduct,
  signatureHashes,
  type TechnologySnapshot,
  technologyCategory,
  wasDetectable,
} from '../engine/technologies/index.ts'
import type { Finding } from './detector.ts'
import {
  deleteTechnologies,
  findTechnologySnapshot,
  type KnownTechnology,
  listTechnologies,
  type ObservedTechnology,
  updateMissingTechnologies,
  upsertTechnologies,
  writeTechnologySnapshot,
} from './technology-store.ts'

type Account = { id: string; name: string; domain: string | null }

/** The limit of pages stored in a snapshot; a site has far fewer pages about the company. */
const MAX_PAGES = 50
/** A vendor's address on the company's pages nearly proves its use, but not that the product is new. */
const CONFIDENCE = 0.6

/**
 * Stores the technologies found on a locked account's pages and in its DNS records. Returns all technologies in use,
 * and findings for those that are new since the last snapshot. The first snapshot and pages that were not read before
 * yield no findings.
 */
export async function recordTechnologies(
  db: Db,
  workspaceId: string,
  account: Account,
  snapshots: readonly TechnologySnapshot[],
  today: string,
): Promise<{ used: string[] | null; adopted: Finding[] }> {
  const { id, domain } = account
  if (snapshots.length === 0 || !domain) return { used: null, adopted: [] }
  const last = await findTechnologySnapshot(db, workspaceId, id)
  // Snapshots of another domain cannot be compared.
  const before = last?.domain === domain ? last : null
  if (last && !before) await deleteTechnologies(db, workspaceId, id)
  const known = before ? await listTechnologies(db, workspaceId, id) : []
  const { seen, missed, adopted } = compareTechnologies(known, before ?? NEVER, snapshots)
  await upsertTechnologies(db, workspaceId, id, seen)
  await updateMissingTechnologies(db, workspaceId, id, missed)
  const places = snapshots.map(({ place }) => place)
  const pages = [...new Set([...places, ...(before?.pages ?? [])])].slice(0, MAX_PAGES)
  await writeTechnologySnapshot(db, workspaceId, id, { domain, pages, signs: signatureHashes() })
  const lost = new Set(missed.flatMap(({ technology, pages }) => (pages.length === 0 ? [technology] : [])))
  const present = known.filter(({ technology, is_gone }) => !is_gone && !lost.has(technology))
  const names = new Set([...seen, ...present].map(({ technology }) => technology))
  const used = [...names].sort((a, b) => a.localeCompare(b, 'en'))
  return { used, adopted: adopted.map((one) => findingOf(one, account, today)) }
}

function findingOf({ technology, instead_of, url }: Adopted, { name }: Account, today: string): Finding {
  return {
    signal_id: 'technology_adoption',
    confidence: CONFIDENCE,
    claim: `${name} adopts ${technology}${instead_of ? ` in place of ${instead_of}` : ''}`,
    quote: null,
    details: null,
    judged_by: null,
    source_url: url,
    published_date: null,
    date: today,
  }
}

type Adopted = { technology: string; instead_of: string | null; url: string }

type Compared = {
  seen: ObservedTechnology[]
  missed: { technology: string; pages: string[] }[]
  adopted: Adopted[]
}

/** The pages of earlier snapshots, and the signatures that the last one searched for. */
type EarlierSnapshots = { pages: readonly string[]; signs: readonly number[] }
const NEVER: EarlierSnapshots = { pages: [], signs: [] }

export function compareTechnologies(
  known: readonly KnownTechnology[],
  before: EarlierSnapshots,
  snapshots: readonly TechnologySnapshot[],
): Compared {
  const readNow = new Set(snapshots.map(({ place }) => place))
  const knownAs = new Map(known.map((one) => [one.technology, one]))
  const names = [...new Set(snapshots.flatMap(({ seen }) => seen.map(({ name }) => name)))]
  const seen = names.map((name) => seenOf(name, snapshots, knownAs.get(name), readNow))
  const missed = known.flatMap(({ technology, pages, is_gone }) => {
    if (is_gone || names.includes(technology)) return []
    // A page that could not be read proves nothing.
    const left = pages.filter((place) => !readNow.has(place))
    return left.length < pages.length ? [{ technology, pages: left }] : []
  })
  // A technology whose signature is new or has changed since the last snapshot may have been there before, or still be
  // there.
  const isComparable = (name: string) => wasDetectable(name, before.signs)
  const gone = missed.flatMap(({ technology, pages }) =>
    pages.length === 0 && isComparable(technology) ? [technology] : [],
  )
  const adopted: Adopted[] = []
  for (const { technology } of seen) {
    if (knownAs.has(technology) || !isPaidProduct(technology) || !isComparable(technology)) continue
    const showing = snapshots.flatMap(({ place, url, seen }) =>
      url !== null && before.pages.includes(place) && seen.some(({ name }) => name === technology)
        ? [{ place, url }]
        : [],
    )
    const [shows] = showing
    if (!shows) continue
    // On the same page as the new one: elsewhere the two may be unrelated.
    const placeOf = (name: string) => showing.find(({ place }) => knownAs.get(name)?.pages.includes(place))
    const at = gone.findIndex((name) => areMutuallyExclusive(name, technology) && placeOf(name))
    const [instead_of = null] = at < 0 ? [] : gone.splice(at, 1)
    const { url } = (instead_of !== null && placeOf(instead_of)) || shows
    adopted.push({ technology, instead_of, url })
  }
  return { seen, missed, adopted }
}

function seenOf(
  name: string,
  snapshots: readonly TechnologySnapshot[],
  known: KnownTechnology | undefined,
  readNow: ReadonlySet<string>,
): ObservedTechnology {
  const showing = snapshots.filter(({ seen }) => seen.some((one) => one.name === name))
  // Everyone can open a page as proof, but not a DNS record.
  const shown = showing.find(({ url }) => url !== null) ?? showing[0]
  const unread = (known?.pages ?? []).filter((place) => !readNow.has(place))
  return {
    technology: name,
    category: technologyCategory(name) ?? 'other',
    evidence: shown?.seen.find((one) => one.name === name)?.evidence ?? '',
    evidence_url: shown?.url ?? null,
    pages: [...showing.map(({ place }) => place), ...unread].slice(0, MAX_PAGES),
  }
}
