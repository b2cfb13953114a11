import type { Deps } from '../deps/deps.ts'
import { type DraftContext, readDraftContext } from '../resources/drafts/context.ts'
import { getRevision } from '../resources/knowledge-base/store.ts'
import { isoDate } from '../shared/days.ts'
import type { WantedSignal } from './detector.ts'

/** The signals and texts of a workspace that research uses. Read once per job, for all its accounts. */
export type ResearchContext = DraftContext & {
  /** `YYYY-MM-DD`. */
  today: string
  /** The revision of the knowledge base from which `sections` were read. */
  revision: number
  /** The signals that are switched on. */
  signals: WantedSignal[]
}

export async function readContext(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
): Promise<ResearchContext> {
  // Read before the sections: if an edit happens in between, the context counts as outdated and is read again.
  const revision = await getRevision(db, workspaceId)
  const { context, signals } = await readDraftContext(db, workspaceId)
  return { ...context, today: isoDate(now()), revision, signals: signals.filter(({ enabled }) => enabled) }
}

/**
 * The context, read again if the knowledge base was edited since. Called while the account is locked, so that the last
 * write always uses the last edit.
 */
export async function refreshContext(
  parts: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  context: ResearchContext,
): Promise<ResearchContext> {
  const isCurrent = context.revision === (await getRevision(parts.db, workspaceId))
  return isCurrent ? context : readContext(parts, workspaceId)
}
