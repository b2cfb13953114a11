import { isoDate } from '../days.ts'
import type { Deps } from '../deps.ts'
import { getProfile } from '../resources/company-profile/store.ts'
import { listSections } from '../resources/knowledge-base/store.ts'
import { listSignals } from '../resources/signals/store.ts'
import type { WantedSignal } from './find-signals.ts'

/** What a workspace looks for and writes with. Read once for a piece of work, however many accounts it is about. */
export type ResearchContext = {
  /** `YYYY-MM-DD`. */
  today: string
  signals: WantedSignal[]
  sections: { type: string; title: string; content_md: string }[]
  sender: { company?: string }
}

export async function readContext(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
): Promise<ResearchContext> {
  const [signals, sections, { name }] = await Promise.all([
    listSignals(db, workspaceId),
    listSections(db, workspaceId),
    getProfile(db, workspaceId),
  ])
  return {
    today: isoDate(now()),
    signals: signals.filter(({ enabled }) => enabled),
    sections,
    sender: name ? { company: name } : {},
  }
}
