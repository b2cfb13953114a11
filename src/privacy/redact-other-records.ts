import type { Deps } from '../deps/deps.ts'
import { cutText } from '../engine/text/storable.ts'
import { LimitExceeded } from '../engine/threads/pool.ts'
import { rewriteStoredResponses } from '../http/idempotency.ts'
import { readErasures } from '../people/redact/erasures.ts'
import { redactInThread } from '../people/redact/redact-in-thread.ts'
import { MAX_SAMPLE_CHARS } from '../resources/me/profile-schema.ts'
import { MAX_SENTENCE_CHARS } from '../resources/signals/schema.ts'
import { NIL_ID } from '../shared/ids.ts'
import {
  clearDeliveryResponses,
  deleteModelReadings,
  listImportTexts,
  listMarkedSentences,
  listSampleMessages,
  listSearchQueries,
  listUnresolvedTexts,
  rewriteImportTexts,
  rewriteMarkedSentence,
  rewriteSampleMessages,
  rewriteSearchQuery,
  rewriteUnresolvedTexts,
} from './other-records-store.ts'
import { hasSameTexts, NotRedacted } from './redact-account.ts'

type Parts = Pick<Deps, 'db' | 'secrets' | 'parserPool' | 'log'>

/**
 * Removes people erased at an account's company from records that belong to no account: people search queries, responses
 * stored for idempotency keys, import errors, companies of runs without a known website, example sentences of signals, sample
 * messages of members, responses of receivers, and readings of the language model.
 */
export async function redactOtherRecords(parts: Parts, workspaceId: string, accountId: string): Promise<void> {
  const { db } = parts
  await clearDeliveryResponses(db, workspaceId, null)
  await deleteModelReadings(db, workspaceId)
  const { erased } = await readErasures(parts, workspaceId, accountId)
  if (!erased) return
  /** Redacts every string in the values; each value counts as a separate source. */
  const redactValues = async <V>(values: readonly V[], typed: boolean): Promise<V[]> => {
    const redacted: V[] = []
    for (const value of values) {
      const items = [{ source: typed ? null : 'value', texts: stringsIn(value) }]
      const result = await redactInThread(parts, erased, 'texts', items, { from: workspaceId, typed })
      if (result instanceof LimitExceeded) throw new NotRedacted(result.reason)
      const texts = (result.items[0] ?? []).values()
      redacted.push(mapStrings(value, () => texts.next().value ?? '') as V)
    }
    return redacted
  }
  const searches = await listSearchQueries(db, workspaceId)
  const queries = await redactValues(
    searches.map(({ query }) => query),
    true,
  )
  for (const [at, { id, query }] of searches.entries()) {
    if (queries[at] !== query) await rewriteSearchQuery(db, workspaceId, id, queries[at] as string)
  }
  const marked = await listMarkedSentences(db, workspaceId)
  const sentences = await redactValues(
    marked.map(({ sentence }) => sentence),
    false,
  )
  for (const [at, one] of marked.entries()) {
    // The replacement text may be longer than the removed name.
    const sentence = cutText(sentences[at] as string, MAX_SENTENCE_CHARS)
    if (sentence !== one.sentence) await rewriteMarkedSentence(db, workspaceId, { ...one, sentence })
  }
  const samples = await listSampleMessages(db, workspaceId)
  const messages = await redactValues(
    samples.map(({ sample_messages, greeting, sign_off }) => ({ sample_messages, greeting, sign_off })),
    false,
  )
  for (const [at, one] of samples.entries()) {
    const redacted = { ...one, ...messages[at] }
    if (hasSameTexts(redacted, one)) continue
    await rewriteSampleMessages(db, workspaceId, one, {
      ...one,
      sample_messages: redacted.sample_messages.map((text) => cutText(text, MAX_SAMPLE_CHARS)),
      // A greeting that named someone is not worth keeping.
      greeting: redacted.greeting === one.greeting ? one.greeting : null,
      sign_off: redacted.sign_off === one.sign_off ? one.sign_off : null,
    })
  }
  const imports = await listImportTexts(db, workspaceId)
  const quotes = await redactValues(
    imports.map(({ errors, failure }) => ({ errors, failure })),
    true,
  )
  for (const [at, one] of imports.entries()) {
    const redacted = { ...one, ...quotes[at] }
    if (!hasSameTexts(redacted, one)) await rewriteImportTexts(db, workspaceId, redacted)
  }
  let last = { run_id: NIL_ID, position: 0 }
  for (;;) {
    const unresolved = await listUnresolvedTexts(db, workspaceId, last)
    if (unresolved.length === 0) break
    for (const one of unresolved) {
      const { name, url, attempts } = one
      const [texts] = await redactValues([{ name, url, attempts }], false)
      const redacted = { ...one, ...texts }
      if (!hasSameTexts(redacted, one)) await rewriteUnresolvedTexts(db, workspaceId, redacted)
      last = one
    }
  }
  await rewriteStoredResponses(parts, workspaceId, async (responses) => {
    const values = responses.map(parseResponse)
    const redacted = await redactValues(values, false)
    return responses.map((response, at) =>
      hasSameTexts(redacted[at], values[at]) ? response : JSON.stringify(redacted[at]),
    )
  })
}

/** Parses the JSON, so that escapes are not taken for text (in "\\nAda" the name is not "nAda") and numbers stay numbers. */
function parseResponse(response: string): unknown {
  return response === '' ? '' : JSON.parse(response)
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, change)]))
}

/** Returns every string in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
