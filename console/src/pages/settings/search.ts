import type { Schemas } from '../../api/client.ts'
import { booleanParam, enumParam, integerParam, textParam } from '../../lib/search-params.ts'

type Search = {
  /** The Add dialog is open. */
  add?: boolean | undefined
  /** The id of the record in the Edit dialog. */
  edit?: string | undefined
  page?: number | undefined
} & AuditSearch

/** The filters of the audit log, and the open entry. */
type AuditSearch = {
  actor?: Schemas['AuditEntry']['actor'] | undefined
  member?: string | undefined
  outcome?: Schemas['AuditEntry']['outcome'] | undefined
  since?: string | undefined
  until?: string | undefined
  entry?: number | undefined
}

export const ACTORS = {
  session: 'Browser',
  key: 'API key',
  agent: 'Agent',
  chat: 'Chat',
  command_line: 'Command line',
  provider: 'Sign-in provider',
  anonymous: 'Not signed in',
} as const

export const OUTCOMES = { ok: 'Done', refused: 'Refused', failed: 'Failed', unknown: 'Unknown' } as const

const keysOf = <T extends object>(labels: T) => Object.keys(labels) as (keyof T & string)[]
const DAY = /^\d{4}-\d\d-\d\d$/

/** The search parameters of the page. */
export function readSettingsSearch(raw: Record<string, unknown>): Search {
  const dayParam = (name: string) => [textParam(raw, name, 10)].find((day) => day !== undefined && DAY.test(day))
  return {
    add: booleanParam(raw, 'add'),
    edit: textParam(raw, 'edit', 40),
    page: integerParam(raw, 'page'),
    actor: enumParam(raw, 'actor', keysOf(ACTORS)),
    member: textParam(raw, 'member', 40),
    outcome: enumParam(raw, 'outcome', keysOf(OUTCOMES)),
    since: dayParam('since'),
    until: dayParam('until'),
    entry: integerParam(raw, 'entry'),
  }
}
