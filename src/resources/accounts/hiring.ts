import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { detectHiringFreeze } from '../../engine/hiring/history.ts'
import type { HiringCurve } from './hiring-schema.ts'
import { findLatestSnapshot, listAccountBoards, listBoardSnapshots, listOpenings } from './hiring-store.ts'
import { getAccount } from './store.ts'

const MAX_OPENINGS = 50

type Curve = Static<typeof HiringCurve>
type Snapshot = Awaited<ReturnType<typeof listBoardSnapshots>>[number]

/** The number of open positions on the account's job boards over time, and the current ones. Throws not_found. */
export async function readHiringCurve(db: Db, workspaceId: string, id: string): Promise<Curve> {
  const { id: account_id } = await getAccount(db, workspaceId, id)
  const [last, known] = await Promise.all([
    findLatestSnapshot(db, workspaceId, account_id),
    listAccountBoards(db, workspaceId, account_id),
  ])
  const known_boards = known.map(({ vendor, token, ...seen }) => ({ board: `${vendor}:${token}`, ...seen }))
  if (!last) {
    return {
      account_id,
      boards: [],
      known_boards,
      looks: 0,
      first_look: null,
      last_look: null,
      points: [],
      freeze: null,
      openings: [],
    }
  }
  const { boards } = last
  const [snapshots, openings] = await Promise.all([
    listBoardSnapshots(db, workspaceId, account_id, boards),
    listOpenings(db, workspaceId, account_id, boards, MAX_OPENINGS),
  ])
  return {
    account_id,
    boards,
    known_boards,
    looks: snapshots.length,
    first_look: snapshots[0]?.day ?? null,
    last_look: last.day,
    points: [...Map.groupBy(snapshots, ({ day }) => mondayOf(day))].map(([week, some]) => pointOf(week, some)),
    freeze: detectHiringFreeze(snapshots),
    openings,
  }
}

function pointOf(week: string, snapshots: readonly Snapshot[]): Curve['points'][number] {
  const { open, departments, countries } = snapshots.at(-1) as Snapshot
  const sum = (numbers: readonly (number | null)[]) =>
    numbers.reduce((all, one) => (all === null || one === null ? null : all + one), 0)
  const opened = sum(snapshots.map(({ opened }) => opened))
  const closed = sum(snapshots.map(({ closed }) => closed))
  return { week, open, opened, closed, departments, countries }
}

function mondayOf(day: string): string {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}
