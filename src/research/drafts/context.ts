import type { Db } from '../../db/connect.ts'
import { getCompanyProfile } from '../../resources/company-profile/store.ts'
import { listSections } from '../../resources/knowledge-base/store.ts'
import { listSignalsToFind } from '../../resources/signals/store.ts'

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
    listSignalsToFind(db, workspaceId),
    listSections(db, workspaceId),
    getCompanyProfile(db, workspaceId),
  ])
  const names = new Map(signals.map(({ id, name }) => [id, name]))
  const context: DraftContext = { names, sections, sender: name ? { company: name } : {} }
  return { context, signals }
}
