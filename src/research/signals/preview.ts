import type { Static } from 'typebox'
import type { Deps } from '../../deps/deps.ts'
import { classifierUnavailableMessage } from '../../engine/classifier/index.ts'
import type { TokenWindow } from '../../engine/classifier/judge.ts'
import type { DescribedSignal } from '../../engine/custom-signals/adjust-classifier.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { countPublished, listNewestDocuments, listPublished } from '../../resources/documents/store.ts'
import type { Preview, PreviewSignal } from '../../resources/signals/schema.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { AppError } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/member.ts'
import { detectAll } from '../detector.ts'
import { findSimilarBuiltin, requireClearDescription } from './describe.ts'
import { normalizeExample } from './examples.ts'

type Parts = Pick<Deps, 'db' | 'now' | 'classifier' | 'parserPool'>

/** The limit of documents, because a caller waits for the response. */
const DOCUMENTS = 40

/**
 * Tries a description on a text or, without one, on the newest documents of the accounts that the viewer may research.
 * Stores nothing.
 */
export async function previewSignal(
  deps: Parts,
  viewer: Viewer,
  { description, company, title = '', text, days, examples = [] }: PreviewSignal,
  gone: AbortSignal,
): Promise<Static<typeof Preview>> {
  const signal = { id: 'preview', description, examples: examples.map(normalizeExample) }
  requireClearDescription(description)
  const { classifier, parserPool } = deps
  const status = await classifier.status()
  if (!status.ready) throw new AppError('unavailable', classifierUnavailableMessage(status.reason))
  if (text === undefined) return previewOnDocuments(deps, viewer, signal, days, gone)
  const asked = { signal, text: { title, text, company: company ?? null }, version: status.version }
  const score = (windows: readonly TokenWindow[]) => classifier.score(windows)
  const found = await parserPool.run('preview', asked, { from: viewer.workspace_id, score, signal: gone })
  if (found instanceof LimitExceeded) {
    throw new AppError('invalid_request', `The text cannot be tried. ${found.reason}`, {
      details: [{ path: 'text', message: found.reason }],
    })
  }
  const similar = findSimilarBuiltin(description)
  return { ...found, similar, documents: null, documents_published: null, since: null, findings: [], unread: [] }
}

async function previewOnDocuments(
  deps: Parts,
  viewer: Viewer,
  signal: DescribedSignal,
  days: number | undefined,
  gone: AbortSignal,
): Promise<Static<typeof Preview>> {
  const { db, now } = deps
  const until = isoDate(now())
  const period = days === undefined ? null : { since: daysBefore(until, days), until }
  const published = period && (await countPublished(db, viewer, period))
  const documents = await (period
    ? listPublished(db, viewer, period, DOCUMENTS)
    : listNewestDocuments(db, viewer, DOCUMENTS))
  const inputs = documents.map(({ url, title, text, published_date, account_name, domain }) => ({
    id: url,
    company: { name: account_name, domain },
    title,
    text,
    url,
    published_at: published_date,
  }))
  const options = { builtins: false, described: [signal] }
  const results = await detectAll(deps, viewer.workspace_id, 'preview', inputs, options, gone)
  const findings = results.flatMap((result, i) => {
    if (result instanceof LimitExceeded) return []
    const { account_id, account_name } = documents[i] as (typeof documents)[number]
    return result.detections
      .filter(({ signal_id }) => signal_id === signal.id)
      .map(({ sentence, confidence, source_url, published_date }) => ({
        account_id,
        account_name,
        sentence,
        confidence,
        source_url: source_url ?? null,
        published_date: published_date ?? null,
      }))
  })
  findings.sort((a, b) => b.confidence - a.confidence)
  const unread = results.flatMap((result, i) =>
    result instanceof LimitExceeded ? [{ url: documents[i]?.url ?? '', reason: result.reason }] : [],
  )
  const [judged_by = null] = results.flatMap((result) => (result instanceof LimitExceeded ? [] : [result.judged_by]))
  return {
    judged_by,
    similar: findSimilarBuiltin(signal.description),
    matches: [],
    documents: documents.length - unread.length,
    documents_published: published,
    since: period?.since ?? null,
    findings,
    unread,
  }
}
