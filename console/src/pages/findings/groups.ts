import type { Schemas } from '../../api/client.ts'
import { localDay } from '../../lib/days.ts'

export type FeedEntry = Schemas['FeedEntry']

export type FeedGroup = { key: string; account: FeedEntry['account']; findings: FeedEntry[] }
export type DayGroup = { day: string; groups: FeedGroup[] }

/**
 * Groups findings, newest first, by day and account. An account is placed at its newest finding, so that loading more findings
 * does not move it.
 */
export function groupFeed(entries: readonly FeedEntry[]): DayGroup[] {
  const days = new Map<string, DayGroup>()
  const groups = new Map<string, FeedGroup>()
  const seen = new Set<string>()
  for (const entry of entries) {
    // New findings shift the pages, so that an entry can appear twice.
    if (seen.has(entry.id)) continue
    seen.add(entry.id)
    const day = localDay(new Date(entry.created_at))
    const dayGroup = days.get(day) ?? { day, groups: [] }
    days.set(day, dayGroup)
    const key = `${day} ${entry.account.id}`
    const group = groups.get(key)
    if (group) group.findings.push(entry)
    else {
      const created = { key, account: entry.account, findings: [entry] }
      groups.set(key, created)
      dayGroup.groups.push(created)
    }
  }
  return [...days.values()]
}
