import type { Db } from '../db/connect.ts'
import type { Deps } from '../deps/deps.ts'
import { getCompanyProfile } from '../resources/company-profile/store.ts'
import { getRevision, listSections } from '../resources/knowledge-base/store.ts'
import { listSignalsToDetect } from '../resources/signals/store.ts'
import { isoDate } from '../shared/days.ts'
import type { WantedSignal } from './detector.ts'

/** What a workspace looks for and writes with. Read once for a piece of work, however many accounts it is about. */
export type ResearchContext = DraftContext & {
  /** `YYYY-MM-DD`. */
  today: string
  /** Of the knowledge base that `sections` are from. */
  revision: number
  /** Those that are switched on. */
  signals: WantedSignal[]
}

export async function readContext(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
): Promise<ResearchContext> {
  // First: sections that are newer than they are taken for are read once more, older ones would stay.
  const revision = await getRevision(db, workspaceId)
  const { context, signals } = await readDraftContext(db, workspaceId)
  return { ...context, today: isoDate(now()), revision, signals: signals.filter(({ enabled }) => enabled) }
}

/**
 * The context again if the knowledge base was edited since. Asked while the account is locked: then what is written last is
 * from the last edit, whoever began first.
 */
export async function refreshContext(
  parts: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  context: ResearchContext,
): Promise<ResearchContext> {
  const isCurrent = context.revision === (await getRevision(parts.db, workspaceId))
  return isCurrent ? context : readContext(parts, workspaceId)
}

/** What a workspace writes with. */
export type DraftContext = {
  /** Of all signals by id: what was found before one was switched off keeps its name. */
  names: ReadonlyMap<string, string>
  sections: { type: string; title: string; content_md: string }[]
  sender: { company?: string }
}

/** Answers the signals as well: their names are among what is written with. */
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
