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

const MAX_CHARS = 60
const IDS = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g

type Names = { member: (id: string) => string | null; provider: (id: string) => string | null }

/** The changes in a line: `role: member → admin, email changed`. Of a list of ids it has the number; the details have all. */
export function describeChanges({ changes, target }: Entry, names: Names): string {
  const shown = (field: string, value: string | null) => {
    if (value === null) return 'none'
    if (/^(owner_id|member_id|to_member_id)$/.test(field)) return names.member(value) ?? value
    if (field.startsWith('provider'))
      return value
        .match(/\w+/g)
        ?.map((id) => names.provider(id) ?? id)
        .join(' and ')
    return field.endsWith('ids') ? (value.match(IDS)?.length ?? shorten(value)) : shorten(value)
  }
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
