import type { Static } from 'typebox'
import type { Deps } from '../../deps/deps.ts'
import { daysBetween, toIsoDate } from '../../engine/dates/calendar.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { AppError } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/member.ts'
import { countOutcomes, type OutcomeCounts } from './outcomes-store.ts'
import type { OutcomeGroup, OutcomeRow, Outcomes, OutcomesQuery } from './schema.ts'

const DEFAULT_DAYS = 90
const MAX_DAYS = 731
/** A rate of fewer cases says nothing. */
const MIN_CASES = 5

/** What became of the findings of a range of days. Throws invalid_request. */
export async function reportOutcomes(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  viewer: Viewer,
  { group_by = 'signal', window_days = 90, ...asked }: Static<typeof OutcomesQuery>,
): Promise<Static<typeof Outcomes>> {
  const to = readDay('to', asked.to) ?? isoDate(now())
  const from = readDay('from', asked.from) ?? daysBefore(to, DEFAULT_DAYS - 1)
  const days = daysBetween(from, to) ?? -1
  if (days < 0 || days >= MAX_DAYS) throw invalid('to', `must be on or after from, and within ${MAX_DAYS} days`)
  const counted = await countOutcomes(db, viewer, { from, to, group_by, window_days })
  const rows = counted
    .filter(({ is_total }) => !is_total)
    .map((counts) => withRates(counts, counts.name ?? WITHOUT_NAME[group_by]))
  const total = withRates(counted.find(({ is_total }) => is_total) ?? NONE, 'Total')
  return { from, to, group_by, window_days, total, rows }
}

/** The pattern of the schema accepts the 31st of every month. */
function readDay(path: string, day: string | undefined): string | undefined {
  const [year = 0, month = 0, date = 0] = day?.split('-').map(Number) ?? []
  if (day !== undefined && toIsoDate(year, month, date) === null) throw invalid(path, 'must be a day of the calendar')
  return day
}

const invalid = (path: string, message: string) =>
  new AppError('invalid_request', `${path} ${message}.`, { details: [{ path, message }] })

const NONE: OutcomeCounts = {
  ...{ is_total: true, key: null, name: null },
  ...{ findings: 0, contacted: 0, answered: 0, led_to_deal: 0, deals: 0, won: 0 },
}

const WITHOUT_NAME: Record<OutcomeGroup, string> = { signal: 'Job change', source: 'Unknown', owner: 'No owner' }

function withRates({ is_total: _, ...counts }: OutcomeCounts, name: string): Static<typeof OutcomeRow> {
  const { findings, contacted, answered, led_to_deal, deals, won } = counts
  return {
    ...counts,
    name,
    contacted_rate: rate(contacted, findings),
    answered_rate: rate(answered, contacted),
    deal_rate: rate(led_to_deal, contacted),
    won_rate: rate(won, deals),
  }
}

const rate = (count: number, of: number): number | null =>
  of < MIN_CASES ? null : Math.round((count / of) * 10_000) / 10_000
