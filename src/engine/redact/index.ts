// What is done to each kind of text that may name somebody erased. It runs in a reading thread: plain data in, plain data out.
import { createHashKey, hashMark, includesHashPrefix } from './hashes.ts'
import { type ErasureScope, type NameWordsBySource, type RedactableProof, Redactor } from './redactor.ts'

/** What is known of everybody who was erased in a workspace, as texts about one company are searched for them. */
export type ErasedPeople = {
  workspace_id: string
  key: Uint8Array
  /** Prefixes of all hashes that are kept, sorted. */
  prefixes: Uint8Array
  /** Under which ids the names are kept that were erased at the company the texts are about. */
  own: string[]
  scopes: ErasureScope[]
}

type Told = { signal_id: string; claim: string }
type Detection = {
  id: string
  evidence: RedactableProof[]
  sources: string[]
  /** Everything else that was written about it. */
  texts: Record<string, string | string[] | null>
}

/** For each kind what becomes of one. Null for a document that is an erased person's own page. */
const REDACTORS = {
  /** `most`: characters of the text that are kept. */
  document(
    redactor: Redactor,
    one: { url: string; title: string | null; text: string; tells: Told[] | null; most: number },
  ) {
    const { url, most } = one
    if (redactor.isTheirs(url)) return null
    // The text before its title, which may have the surname alone.
    const text = redactor.text(one.text, url, most)
    const tells = one.tells?.map((told) => ({ ...told, claim: redactor.text(told.claim, url) })) ?? null
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

  /** A sentence with the page it is on: an event of a monitor, a source of a move. */
  sentence: (redactor: Redactor, { url, text }: { url: string; text: string | null }) => ({
    text: redactor.text(text, url),
    url: redactor.url(url),
  }),

  detection(redactor: Redactor, { id, evidence, sources, texts }: Detection): Detection {
    const proofs = evidence.map((proof) => redactor.proof(proof))
    // What the sources call somebody, the texts made of them may call them, too.
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

  /** Texts that are read together. */
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

/** Redacts items of one kind, in their order; with the words that mean somebody in their sources. */
export function redactItems({ erased, kind, items, alone, typed }: RedactTask): {
  items: unknown[]
  alone: NameWordsBySource
} {
  const redactor = new Redactor(markLookup(erased), erased, { alone, typed })
  const one = REDACTORS[kind] as (redactor: Redactor, item: never) => unknown
  return { items: items.map((item) => one(redactor, item as never)), alone: redactor.alone }
}

/** A hash costs more than reading a word, so each is made once. */
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

/** The marks of one person, whom texts are searched for. */
export type SoughtPerson = { marks: string[]; own: string[]; scopes: ErasureScope[] }

export type FoundPassage = { field: string; text: string }

const PASSAGE_MARGIN = 160
/** A text that names somebody more often says so by these. */
const MAX_PASSAGES = 20

/** What texts, by their fields, say about somebody. */
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
