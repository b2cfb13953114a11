import type { Db } from '../db/connect.ts'
import type { Deps } from '../deps/deps.ts'
import { getCompanyProfile } from '../resources/company-profile/store.ts'
import { getRevision, listSections } from '../resources/knowledge-base/store.ts'
import { listSignalsToDetect } from '../resources/signals/store.ts'
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

/** What drafts are written from. */
export type DraftContext = {
  /** The names of all signals by id, including disabled ones, whose detections remain. */
  names: ReadonlyMap<string, string>
  sections: { type: string; title: string; content_md: string }[]
  sender: { company?: string }
}

/** Returns the signals as well, because their names are part of the context. */
export async function readDraftContext(db: Db, workspaceId: string) {
  const [signals, sections, { name }] = await Promise.all([
    listSignalsToDetect(db, workspaceId),
    listSections(db, workspaceId),
    getCompanyProfile(db, workspaceId),
  ])
  const names = new Map(signals.map(({ id, name }) => [id, name]))
  const context: DraftContext = { names, sections, sender: name ? { company: name } : {} }
  return { context, signals }
}
