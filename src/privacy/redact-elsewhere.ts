import type { Deps } from '../deps/deps.ts'
import { cutText } from '../engine/text/storable.ts'
import { LimitExceeded } from '../engine/threads/pool.ts'
import { rewriteStoredResponses } from '../http/idempotency.ts'
import { readErased } from '../people/redact/erased.ts'
import { redactInThread } from '../people/redact/redact.ts'
import { MAX_SENTENCE_CHARS } from '../resources/signals/schema.ts'
import { isSame, NotRedacted } from './redact-stored.ts'
import {
  deleteModelReadings,
  emptyAnswers,
  listImportTexts,
  listMarkedSentences,
  listSearchQueries,
  rewriteImport,
  rewriteMarkedSentence,
  rewriteQuery,
} from './redaction-store.ts'

type Parts = Pick<Deps, 'db' | 'secrets' | 'parserPool' | 'log'>

/**
 * Takes those who were erased at an account's company out of what is stored about no account: requests for people, answers
 * that are kept for repeated requests, what imports quote, sentences marked for signals, what receivers answered, what the language model read.
 */
export async function redactElsewhere(parts: Parts, workspaceId: string, accountId: string): Promise<void> {
  const { db } = parts
  await emptyAnswers(db, workspaceId, null)
  await deleteModelReadings(db, workspaceId)
  const { erased } = await readErased(parts, workspaceId, accountId)
  if (!erased) return
  /** Every text in values, redacted; each value is a source of its own. */
  const redactValues = async <V>(values: readonly V[], typed: boolean): Promise<V[]> => {
    const redacted: V[] = []
    for (const value of values) {
      const items = [{ source: typed ? null : 'value', texts: stringsIn(value) }]
      const answer = await redactInThread(parts, erased, 'texts', items, { from: workspaceId, typed })
      if (answer instanceof LimitExceeded) throw new NotRedacted(answer.reason)
      const texts = (answer.items[0] ?? []).values()
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
    if (queries[at] !== query) await rewriteQuery(db, workspaceId, id, queries[at] as string)
  }
  const marked = await listMarkedSentences(db, workspaceId)
  const sentences = await redactValues(
    marked.map(({ sentence }) => sentence),
    false,
  )
  for (const [at, one] of marked.entries()) {
    // The mark of what was taken out may be longer than that.
    const sentence = cutText(sentences[at] as string, MAX_SENTENCE_CHARS)
    if (sentence !== one.sentence) await rewriteMarkedSentence(db, workspaceId, { ...one, sentence })
  }
  const imports = await listImportTexts(db, workspaceId)
  const quotes = await redactValues(
    imports.map(({ errors, failure }) => ({ errors, failure })),
    true,
  )
  for (const [at, one] of imports.entries()) {
    const redacted = { ...one, ...quotes[at] }
    if (!isSame(redacted, one)) await rewriteImport(db, workspaceId, redacted)
  }
  await rewriteStoredResponses(parts, workspaceId, async (answers) => {
    const values = answers.map(readAnswer)
    const redacted = await redactValues(values, false)
    return answers.map((answer, at) => (isSame(redacted[at], values[at]) ? answer : JSON.stringify(redacted[at])))
  })
}

/** Answers are JSON, whose own writing is no text: in "\\nAda" the name is not "nAda", and a number stays one. */
function readAnswer(answer: string): unknown {
  return answer === '' ? '' : JSON.parse(answer)
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, change)]))
}

/** Every text anywhere in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
