import type { Deps } from '../../deps/deps.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { countByWeek } from './feed-store.ts'
import { MAX_WEEKS, type WeeksQuery } from './schema.ts'

/** The number of detections in the last weeks, including the current one, by the day of the event. */
export function readWeeks(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  { weeks, ...filters }: WeeksQuery,
) {
  const today = now()
  const sinceMonday = (today.getUTCDay() + 6) % 7
  return countByWeek(
    db,
    workspaceId,
    filters,
    daysBefore(isoDate(today), sinceMonday + 7 * (Math.min(weeks, MAX_WEEKS) - 1)),
  )
}
