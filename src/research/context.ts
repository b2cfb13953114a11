import type { Deps } from '../deps/deps.ts'
import { getRevision } from '../resources/knowledge-base/store.ts'
import { isoDate } from '../shared/days.ts'
import { type DraftContext, readDraftContext } from './drafts/context.ts'
import type { WantedSignal } from './find-signals.ts'

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
export async function upToDate(
  parts: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  context: ResearchContext,
): Promise<ResearchContext> {
  const isCurrent = context.revision === (await getRevision(parts.db, workspaceId))
  return isCurrent ? context : readContext(parts, workspaceId)
}
