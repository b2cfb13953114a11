import type { Deps } from '../deps/deps.ts'
import { storeRedacted } from '../people/redact/redact-findings.ts'
import type { CompanyRef } from '../providers/types.ts'
import { readIdentity, toNamedCompany } from '../resources/account-relations/identity-store.ts'
import type { SourcedDocument } from '../resources/documents/store.ts'
import type { ResearchContext } from './context.ts'
import type { UnreadDocument, WantedSignal } from './detector.ts'
import { excludeNotJudged, findSignals } from './find-signals.ts'
import type { SkippedDocument } from './foreign-documents.ts'
import { type Ingested, ingest } from './ingest.ts'

type Target = { workspace_id: string; account_id: string; run_id: string | null }

type Options = {
  /** The signals to detect; all active ones by default. */
  wanted?: readonly WantedSignal[]
  /** The documents are already stored: they are not stored again, and no alert is sent. */
  isKnown?: boolean
  signal?: AbortSignal | undefined
  /** Aborts requests to the language model. */
  modelUntil?: AbortSignal
  /** Runs in the transaction that stores the findings. */
  along?: (
    db: Deps['db'],
    ingested: Ingested,
    unread: readonly UnreadDocument[],
    skipped: readonly SkippedDocument[],
  ) => Promise<void>
}

/**
 * Detects signals in documents of an account and stores the documents and the findings in one transaction. Repeating it with the
 * same documents adds nothing. Returns null when the account does not exist.
 */
export async function detectAndRecord(
  deps: Deps,
  context: ResearchContext,
  target: Target,
  company: CompanyRef,
  documents: readonly (SourcedDocument & { fresh?: boolean })[],
  { wanted = context.signals, isKnown = false, signal, modelUntil, along }: Options = {},
): Promise<Ingested | null> {
  const windowDays = deps.config.SCAN_WINDOW_DAYS
  const identity = await readIdentity(deps.db, target.workspace_id, { ...company, id: target.account_id })
  const named = toNamedCompany(identity)
  const { findings, unread, skipped } = await findSignals(deps, target.workspace_id, named, documents, [], wanted, {
    today: context.today,
    windowDays,
    signal,
    // The model read stored documents when they were new.
    ...(isKnown ? {} : { model: { account_id: target.account_id, until: modelUntil } }),
  })
  if (unread.length > 0) {
    deps.log.warn({ ...target, unread: unread.slice(0, 10) }, 'detection failed in some documents')
  }
  // Documents on which the language model or the classifier failed are not stored as read, so that a later pass reads them.
  const failed = new Set(unread.flatMap(({ url, language }) => (language ? url : [])))
  const judged = excludeNotJudged(documents, unread).filter(({ url }) => !failed.has(url))
  const discovered = isKnown ? { findings } : { documents: judged, findings }
  const { workspace_id, account_id } = target
  return storeRedacted(deps, workspace_id, account_id, discovered, async (db, redacted) => {
    const ingested = await ingest({ ...deps, db }, context, target, redacted, isKnown ? 'nothing' : 'detections')
    if (ingested) await along?.(db, ingested, [...unread, ...redacted.failed], skipped)
    return ingested
  })
}
