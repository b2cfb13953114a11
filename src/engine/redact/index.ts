// Redacts erased people from each kind of stored text. Runs in a parser thread: plain data in, plain data out.
import { createHashKey, hashMark, includesHashPrefix } from './hashes.ts'
import { type ErasureScope, type NameWordsBySource, type RedactableProof, Redactor } from './redactor.ts'

/** The hashed marks of all people erased in a workspace, for texts about one company. */
export type ErasedPeople = {
  workspace_id: string
  key: Uint8Array
  /** Sorted prefixes of all stored hashes. */
  prefixes: Uint8Array
  /** Ids of the scopes of the company that the texts are about. */
  own: string[]
  scopes: ErasureScope[]
}

type ReportedSignal = { signal_id: string; claim: string }
type Detection = {
  id: string
  evidence: RedactableProof[]
  sources: string[]
  /** All other texts of the detection, by field. */
  texts: Record<string, string | string[] | null>
}

/** Redacts one item of each kind. Null for a document that is an erased person's profile page. */
const REDACTORS = {
  /** `most`: maximum number of characters to keep of the text. */
  document(
    redactor: Redactor,
    one: { url: string; title: string | null; text: string; tells: ReportedSignal[] | null; most: number },
  ) {
    const { url, most } = one
    if (redactor.isTheirs(url)) return null
    // The text before its title, because the title may contain the surname alone.
    const text = redactor.text(one.text, url, most)
    const tells = one.tells?.map((signal) => ({ ...signal, claim: redactor.text(signal.claim, url) })) ?? null
    return { text, title: redactor.text(one.title, url), url: redactor.url(url), tells }
  },

  finding(redactor: Redactor, one: RedactableProof & { source_url: string; context?: string }) {
    const { source_url, context } = one
    const proof = redactor.proof(one)
    return context === undefined ? proof : { ...proof, context: redactor.text(context, source_url) }
  },

  opening: (redactor: Redactor, { url, title, location }: { url: string; title: string; location: string | null }) => ({
    title: redactor.text(title, url),
    location: redactor.text(location, url),
    url: redactor.url(url),
  }),

  /** A sentence with the URL of its page: a monitor event, or a source of a move. */
  sentence: (redactor: Redactor, { url, text }: { url: string; text: string | null }) => ({
    text: redactor.text(text, url),
    url: redactor.url(url),
  }),

  detection(redactor: Redactor, { id, evidence, sources, texts }: Detection): Detection {
    const proofs = evidence.map((proof) => redactor.proof(proof))
    // Texts written from the sources may use the same surnames.
    for (const { source_url } of evidence) redactor.share(source_url, id)
    const text = (one: string | string[] | null) =>
      Array.isArray(one) ? one.map((each) => redactor.text(each, id)) : redactor.text(one, id)
    return {
      id,
      evidence: proofs,
      sources: sources.map((url) => redactor.url(url)),
      texts: Object.fromEntries(Object.entries(texts).map(([field, one]) => [field, text(one)])),
    }
  },

  /** Texts of one source. */
  texts: (redactor: Redactor, { source, texts }: { source: string | null; texts: string[] }) =>
    texts.map((text) => redactor.text(text, source)),
}

export type RedactionKind = keyof typeof REDACTORS
export type RedactionItem<K extends RedactionKind> = Parameters<(typeof REDACTORS)[K]>[1]
export type Redacted<K extends RedactionKind> = ReturnType<(typeof REDACTORS)[K]>

export type RedactTask = {
  erased: ErasedPeople
  kind: RedactionKind
  items: readonly unknown[]
  alone: NameWordsBySource
  typed: boolean
}

/** Redacts items of one kind, in order; also returns the name words found in their sources. */
export function redactItems({ erased, kind, items, alone, typed }: RedactTask): {
  items: unknown[]
  alone: NameWordsBySource
} {
  const redactor = new Redactor(markLookup(erased), erased, { alone, typed })
  const one = REDACTORS[kind] as (redactor: Redactor, item: never) => unknown
  return { items: items.map((item) => one(redactor, item as never)), alone: redactor.alone }
}

/** Caches lookups, because a hash costs more than parsing a word. */
function markLookup({ key, workspace_id, prefixes }: ErasedPeople): (mark: string) => boolean {
  const known = new Map<string, boolean>()
  const secret = createHashKey(key)
  return (mark) => {
    const before = known.get(mark)
    if (before !== undefined) return before
    const isKept = includesHashPrefix(prefixes, hashMark(secret, workspace_id, mark))
    known.set(mark, isKept)
    return isKept
  }
}

/** The marks of the person to find. */
export type SoughtPerson = { marks: string[]; own: string[]; scopes: ErasureScope[] }

export type FoundPassage = { field: string; text: string }

const PASSAGE_MARGIN = 160
/** Maximum number of passages per text. */
const MAX_PASSAGES = 20

/** The passages about a person in texts, by field. */
export function findPassages({
  sought,
  texts,
}: {
  sought: SoughtPerson
  texts: Record<string, string | null>
}): FoundPassage[] {
  const marks = new Set(sought.marks)
  const redactor = new Redactor((mark) => marks.has(mark), sought)
  return Object.entries(texts).flatMap(([field, text]) => {
    const cuts = text === null ? [] : redactor.redact(text).cuts.slice(0, MAX_PASSAGES)
    return cuts.map(({ start, end }) => ({
      field,
      text: (text ?? '').slice(Math.max(0, start - PASSAGE_MARGIN), end + PASSAGE_MARGIN),
    }))
  })
}
