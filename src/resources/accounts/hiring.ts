import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { detectHiringFreeze } from '../../engine/hiring/history.ts'
import type { HiringCurve } from './hiring-schema.ts'
import { findLatestSnapshot, listBoardSnapshots, listOpenings } from './hiring-store.ts'
import { getAccount } from './store.ts'

const MAX_OPENINGS = 50

type Curve = Static<typeof HiringCurve>
type Look = Awaited<ReturnType<typeof listBoardSnapshots>>[number]

/** The number of open positions on the account's job boards over time, and the current ones. Throws not_found. */
export async function readHiringCurve(db: Db, workspaceId: string, id: string): Promise<Curve> {
  const { id: account_id } = await getAccount(db, workspaceId, id)
  const last = await findLatestSnapshot(db, workspaceId, account_id)
  if (!last) {
    return {
      account_id,
      boards: [],
      looks: 0,
      first_look: null,
      last_look: null,
      points: [],
      freeze: null,
      openings: [],
    }
  }
  const { boards } = last
  const [looks, openings] = await Promise.all([
    listBoardSnapshots(db, workspaceId, account_id, boards),
    listOpenings(db, workspaceId, account_id, boards, MAX_OPENINGS),
  ])
  return {
    account_id,
    boards,
    looks: looks.length,
    first_look: looks[0]?.day ?? null,
    last_look: last.day,
    points: [...Map.groupBy(looks, ({ day }) => mondayOf(day))].map(([week, some]) => pointOf(week, some)),
    freeze: detectHiringFreeze(looks),
    openings,
  }
}

function pointOf(week: string, looks: readonly Look[]): Curve['points'][number] {
  const { open, departments, countries } = looks.at(-1) as Look
  const sum = (numbers: readonly (number | null)[]) =>
    numbers.reduce((all, one) => (all === null || one === null ? null : all + one), 0)
  const opened = sum(looks.map((look) => look.opened))
  const closed = sum(looks.map((look) => look.closed))
  return { week, open, opened, closed, departments, countries }
}

function mondayOf(day: string): string {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}
