import type { Schemas } from '../../api/client.ts'
import { formatDate } from '../../components/time.tsx'

type Entry = Schemas['AuditEntry']

const NAMES: Record<string, string> = { api: 'API', crm: 'CRM', icp: 'ICP' }

/** The words of an operationId: `createApiKey` is `create API key`. The column of the result says what became of it. */
export function describeAction(action: string): string {
  const words = action
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .split(' ')
  return words.map((word) => NAMES[word] ?? word).join(' ')
}

/** A list of ids is shown whole in the details only. */
const MAX_CHARS = 60

/** The changes in a line: `role: member → admin, email changed`. */
export function describeChanges({ changes, target }: Entry, nameOf: (id: string) => string | null): string {
  const isMember = (field: string) => /^(owner_id|member_id|to_member_id)$/.test(field)
  const shown = (field: string, value: string | null) =>
    value === null ? 'none' : isMember(field) ? (nameOf(value) ?? value) : shorten(value)
  return changes
    .filter(({ field, after }) => field !== 'name' || after !== target?.name)
    .map(({ field, before, after }) => {
      const name = field.replace(/_id$/, '').replaceAll('_', ' ')
      if (before === '[masked]' || after === '[masked]') return `${name} changed`
      return before === null
        ? `${name}: ${shown(field, after)}`
        : `${name}: ${shown(field, before)} → ${shown(field, after)}`
    })
    .join(', ')
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function shorten(value: string): string {
  if (TIMESTAMP.test(value)) return formatDate(value)
  return value.length > MAX_CHARS ? `${value.slice(0, MAX_CHARS)}…` : value
}
