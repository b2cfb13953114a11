import type { Schemas } from '../../api/client.ts'

export type FeedEntry = Schemas['FeedEntry']

export type FeedGroup = { key: string; account: FeedEntry['account']; findings: FeedEntry[] }
export type DayGroup = { key: string; day: string; groups: FeedGroup[] }
export type FeedPart = { isNew: boolean; days: DayGroup[] }

/** `YYYY-MM-DD` in the browser's time zone. */
export function localDate(moment: string): string {
  const at = new Date(moment)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/**
 * Groups findings, newest first, into new and seen, then by day and account. An account is placed at its newest finding, so that
 * loading more findings does not move it.
 */
export function groupFeed(entries: readonly FeedEntry[], seenAt: string | null): FeedPart[] {
  const parts: FeedPart[] = []
  const days = new Map<string, DayGroup>()
  const groups = new Map<string, FeedGroup>()
  const seen = new Set<string>()
  for (const entry of entries) {
    // New findings shift the pages, so that an entry can appear twice.
    if (seen.has(entry.id)) continue
    seen.add(entry.id)
    const isNew = seenAt !== null && entry.created_at > seenAt
    let part = parts.at(-1)
    if (part?.isNew !== isNew) {
      part = { isNew, days: [] }
      parts.push(part)
    }
    const day = localDate(entry.created_at)
    const dayKey = `${isNew} ${day}`
    const dayGroup = days.get(dayKey) ?? { key: dayKey, day, groups: [] }
    if (!days.has(dayKey)) {
      days.set(dayKey, dayGroup)
      part.days.push(dayGroup)
    }
    const key = `${dayKey} ${entry.account.id}`
    const group = groups.get(key)
    if (group) group.findings.push(entry)
    else {
      const created = { key, account: entry.account, findings: [entry] }
      groups.set(key, created)
      dayGroup.groups.push(created)
    }
  }
  return parts
}
