// The playbook: for a signal and a department, the problem that a message speaks about, why the event makes it urgent, the
// proof and the question. A section of the knowledge base of the type `playbook` replaces the default of its cell.
import { findBuiltinSignal, type SignalId, signalName } from '../signals/index.ts'
import { foldText } from '../text/fold.ts'
import { cutText } from '../text/storable.ts'
import { DEFAULT_PLAYS, PLAYS_FOR_OTHER_SIGNALS } from './defaults.ts'
import { BUYING_DEPARTMENT_NAMES, type BuyingDepartment } from './departments.ts'

export { BUYING_DEPARTMENT_NAMES, BUYING_DEPARTMENTS, type BuyingDepartment, buyingDepartment } from './departments.ts'

export const PLAYBOOK_TYPE = 'playbook'

/** A cell of the playbook. `reasons` are alternatives; a member writes one. */
export type Play = {
  problem: string
  reasons: readonly string[]
  /** Null: the proof is chosen by industry and size. */
  proof: string | null
  /** Null: one of the usual questions. */
  ask: string | null
  is_edited: boolean
}

export type EditedPlay = { problem: string; why_now: string; proof: string | null; ask: string | null }

type Section = { type: string; title?: string; content_md: string }

const MAX_CHARS = 5_000
const FIELDS: readonly [field: keyof EditedPlay, label: RegExp][] = [
  ['problem', /^problem\s*:\s*/i],
  ['why_now', /^why now\s*:\s*/i],
  ['proof', /^proof\s*:\s*/i],
  ['ask', /^(?:ask|question)\s*:\s*/i],
]

/** The title of the section of a cell: "Funding × Finance". */
export const playTitle = (signal: string, department: BuyingDepartment) =>
  `${signal} × ${BUYING_DEPARTMENT_NAMES[department]}`

/** The content of the section of a cell. */
export function writePlay({ problem, why_now, proof, ask }: EditedPlay): string {
  const line = (label: string, text: string | null) =>
    text ? [`${label}: ${text.replaceAll(/\s+/g, ' ').trim()}`] : []
  return [...line('Problem', problem), ...line('Why now', why_now), ...line('Proof', proof), ...line('Ask', ask)].join(
    '\n',
  )
}

/** Parses the content of a section; null without a problem and a reason. */
export function readPlay(content_md: string): EditedPlay | null {
  const found: Partial<Record<keyof EditedPlay, string>> = {}
  for (const raw of cutText(content_md, MAX_CHARS).split('\n')) {
    const line = raw.replace(/^\s*(?:[-*+]\s+)?/, '').replaceAll('**', '')
    const [field, label] = FIELDS.find(([, label]) => label.test(line)) ?? []
    const text = label ? line.replace(label, '').trim() : ''
    if (field && text !== '') found[field] ??= text
  }
  const { problem, why_now, proof = null, ask = null } = found
  return problem && why_now ? { problem, why_now, proof, ask } : null
}

const keyOf = (signal: string, department: string) => `${foldText(signal).trim()} ${foldText(department).trim()}`

const edited = new WeakMap<readonly Section[], ReadonlyMap<string, EditedPlay>>()

/** The cells that members wrote, by names of signal and department. Cached by the array, which is a new one after an edit. */
function editedPlays(sections: readonly Section[]): ReadonlyMap<string, EditedPlay> {
  const known = edited.get(sections)
  if (known) return known
  const plays = new Map<string, EditedPlay>()
  for (const { type, title = '', content_md } of sections) {
    if (type !== PLAYBOOK_TYPE) continue
    const at = title.lastIndexOf(' × ')
    const [signal, department] = [title.slice(0, Math.max(at, 0)), title.slice(at + 3)]
    const play = readPlay(content_md)
    if (play && signal) plays.set(keyOf(signal, department), play)
  }
  edited.set(sections, plays)
  return plays
}

/** The play for a signal and a department. `name`: the name of a custom signal. */
export function findPlay(
  sections: readonly Section[],
  signalId: string,
  department: BuyingDepartment,
  name: string = signalName(signalId),
): Play {
  const own = editedPlays(sections).get(keyOf(name, BUYING_DEPARTMENT_NAMES[department]))
  if (own) return { ...own, reasons: [own.why_now], is_edited: true }
  const plays = findBuiltinSignal(signalId) ? DEFAULT_PLAYS[signalId as SignalId] : PLAYS_FOR_OTHER_SIGNALS
  return { ...plays[department], proof: null, ask: null, is_edited: false }
}
