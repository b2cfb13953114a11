import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import {
  BUYING_DEPARTMENT_NAMES,
  BUYING_DEPARTMENTS,
  type BuyingDepartment,
  findPlay,
  PLAYBOOK_TYPE,
  playTitle,
  writePlay,
} from '../../engine/playbook/index.ts'
import { foldText } from '../../engine/text/fold.ts'
import type { EditPlay, PlaybookEntry } from '../../resources/knowledge-base/playbook-schema.ts'
import { listSections } from '../../resources/knowledge-base/store.ts'
import { listSignalsToDetect } from '../../resources/signals/store.ts'
import { notFound } from '../../shared/errors.ts'
import { deleteSection, putSection } from '../knowledge-base/sections.ts'

type Parts = Pick<Deps, 'db' | 'jobs'>
type Section = { id: string; type: string; title: string; content_md: string }

/** The playbook: six plays for each signal of the workspace. */
export async function listPlays(db: Db, workspaceId: string): Promise<PlaybookEntry[]> {
  const [signals, sections] = await Promise.all([listSignalsToDetect(db, workspaceId), listSections(db, workspaceId)])
  return signals.flatMap((signal) => BUYING_DEPARTMENTS.map((department) => toPlay(sections, signal, department)))
}

function toPlay(
  sections: readonly Section[],
  signal: { id: string; name: string },
  department: BuyingDepartment,
): PlaybookEntry {
  const { problem, reasons, proof, ask, is_edited } = findPlay(sections, signal.id, department, signal.name)
  return {
    signal_id: signal.id,
    signal_name: signal.name,
    department,
    department_name: BUYING_DEPARTMENT_NAMES[department],
    ...{ problem, why_now: reasons[0] as string, proof, ask },
    source: is_edited ? 'edited' : 'default',
    section_id: is_edited ? (sectionOf(sections, signal.name, department)?.id ?? null) : null,
  }
}

const sectionOf = (sections: readonly Section[], signal: string, department: BuyingDepartment) =>
  sections.findLast(
    ({ type, title }) => type === PLAYBOOK_TYPE && foldText(title) === foldText(playTitle(signal, department)),
  )

/** Stores a play as a section of the knowledge base. Throws not_found. */
export async function editPlay(
  parts: Parts,
  workspaceId: string,
  { signal_id, department }: { signal_id: string; department: BuyingDepartment },
  play: EditPlay,
): Promise<PlaybookEntry> {
  const signal = await findSignal(parts.db, workspaceId, signal_id)
  const title = playTitle(signal.name, department)
  const known = sectionOf(await listSections(parts.db, workspaceId), signal.name, department)
  await putSection(parts, workspaceId, {
    ...{ type: PLAYBOOK_TYPE, content_md: writePlay(play) },
    // Members may have written the title in other letters.
    title: known?.title ?? title,
  })
  return toPlay(await listSections(parts.db, workspaceId), signal, department)
}

/** Returns to the default. Throws not_found. */
export async function resetPlay(
  parts: Parts,
  workspaceId: string,
  { signal_id, department }: { signal_id: string; department: BuyingDepartment },
): Promise<PlaybookEntry> {
  const signal = await findSignal(parts.db, workspaceId, signal_id)
  const known = sectionOf(await listSections(parts.db, workspaceId), signal.name, department)
  if (known) await deleteSection(parts, workspaceId, known.id)
  return toPlay(await listSections(parts.db, workspaceId), signal, department)
}

async function findSignal(db: Db, workspaceId: string, id: string) {
  const signal = (await listSignalsToDetect(db, workspaceId)).find((one) => one.id === id)
  if (!signal) throw notFound('signal')
  return signal
}
