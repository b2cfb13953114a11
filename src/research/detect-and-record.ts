import type { Deps } from '../deps/deps.ts'
import { storeRedacted } from '../people/redact/redact-findings.ts'
import type { CompanyRef } from '../providers/types.ts'
import type { SourcedDocument } from '../resources/documents/store.ts'
import type { ResearchContext } from './context.ts'
import { type Foreign, findSignals, judgedOf, type Unread, type WantedSignal } from './find-signals.ts'
import { type Ingested, ingest } from './ingest.ts'

type Target = { workspace_id: string; account_id: string; run_id: string | null }

type Options = {
  /** The signals to look for; all active ones when left out. */
  lookFor?: readonly WantedSignal[]
  /** The documents were read before: they are neither kept again nor is anybody alerted. */
  isKnown?: boolean
  signal?: AbortSignal | undefined
  /** Until when a language model may be asked. */
  modelUntil?: AbortSignal
  /** Writes along in the transaction that keeps the findings; told what could not be looked through, and what is in no language that is read. */
  along?: (db: Deps['db'], ingested: Ingested, unread: readonly Unread[], foreign: readonly Foreign[]) => Promise<void>
}

/**
 * Looks through documents of an account for signals, and keeps them with what it finds, all or nothing. The same documents
 * again add nothing. Answers null when the account is gone.
 */
export async function detectAndRecord(
  deps: Deps,
  context: ResearchContext,
  target: Target,
  company: CompanyRef,
  documents: readonly (SourcedDocument & { fresh?: boolean })[],
  { lookFor = context.signals, isKnown = false, signal, modelUntil, along }: Options = {},
): Promise<Ingested | null> {
  const windowDays = deps.config.SCAN_WINDOW_DAYS
  const { findings, unread, foreign } = await findSignals(deps, target.workspace_id, company, documents, [], lookFor, {
    today: context.today,
    windowDays,
    signal,
    // What was read before was asked about then, and nobody waits for it now.
    ...(isKnown ? {} : { model: { account_id: target.account_id, until: modelUntil } }),
  })
  if (unread.length > 0) {
    deps.log.warn({ ...target, unread: unread.slice(0, 10) }, 'documents could not be looked through')
  }
  // What the language model failed on, or this machine cannot judge, is not kept as read: it is met again.
  const failed = new Set(unread.flatMap(({ url, language }) => (language ? url : [])))
  const judged = judgedOf(documents, unread).filter(({ url }) => !failed.has(url))
  const discovered = isKnown ? { findings } : { documents: judged, findings }
  const { workspace_id, account_id } = target
  return storeRedacted(deps, workspace_id, account_id, discovered, async (db, redacted) => {
    const ingested = await ingest({ ...deps, db }, context, target, redacted, isKnown ? 'nothing' : 'detections')
    if (ingested) await along?.(db, ingested, [...unread, ...redacted.failed], foreign)
    return ingested
  })
}
