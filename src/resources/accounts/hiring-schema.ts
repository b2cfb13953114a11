import { Type } from 'typebox'
import { Nullable, Rec, Timestamp } from '../../http/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const counts = (description: string) =>
  Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' }, description })
const day = (description: string) => Type.String({ format: 'date', description })

const Point = Type.Object({
  week: day('The Monday of the week'),
  open: count('Open positions in the last snapshot of the week'),
  opened: Nullable(
    count('New positions in the snapshots of the week; null without an earlier snapshot to compare with'),
  ),
  closed: Nullable(
    count('Closed positions in the snapshots of the week; null without an earlier snapshot to compare with'),
  ),
  departments: counts('`open` by department, derived from the titles'),
  countries: counts('`open` by country code, without positions of unknown country'),
})

const Opening = Type.Object({
  url: Type.String(),
  title: Type.String(),
  department: Type.String(),
  location: Nullable(Type.String()),
  country_code: Nullable(Type.String()),
  published_date: Nullable(day('As the board gives it')),
  first_seen: day('The day of the first snapshot with it'),
})

const KnownBoard = Type.Object({
  board: Type.String({ description: 'As `vendor:name`' }),
  found_url: Type.String({ description: 'The page that linked it' }),
  linked_at: Timestamp({ description: 'When a page linked it last' }),
  last_seen: Timestamp({ description: 'When a page linked it or it was read last' }),
})

export const HiringCurve = Rec(
  'HiringCurve',
  {
    account_id: Type.String(),
    boards: Type.Array(Type.String(), { description: 'The job boards that were read, as `vendor:name`' }),
    known_boards: Type.Array(KnownBoard, {
      description: 'The job boards that the account’s own pages linked, and that are read even when no page links them',
    }),
    looks: count('The number of snapshots of these boards'),
    first_look: Nullable(day('null: no job board was read yet')),
    last_look: Nullable(day('null: no job board was read yet')),
    points: Type.Array(Point, { description: 'By week, the oldest first' }),
    freeze: Nullable(
      Type.Object(
        {
          since: day('The day of the first snapshot with few positions'),
          open: count('Open positions in the last snapshot'),
          usual: count('The median of the earlier snapshots'),
          text: Type.String(),
        },
        {
          description:
            'Few or no positions in at least two snapshots, after many before. The reason is unknown, so it is not a signal.',
        },
      ),
    ),
    openings: Type.Array(Opening, { description: 'The current positions, the newest first; at most 50' }),
  },
  {
    account_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d84',
    boards: ['greenhouse:northwind'],
    known_boards: [
      {
        board: 'greenhouse:northwind',
        found_url: 'https://northwind.example/careers',
        linked_at: '2026-11-09T06:12:40.000Z',
        last_seen: '2026-11-09T06:12:40.000Z',
      },
    ],
    looks: 9,
    first_look: '2026-09-14',
    last_look: '2026-11-09',
    points: [
      {
        week: '2026-11-09',
        open: 14,
        opened: 6,
        closed: 1,
        departments: { Engineering: 9, Sales: 5 },
        countries: { NO: 12, DE: 2 },
      },
    ],
    freeze: null,
    openings: [
      {
        url: 'https://boards.greenhouse.io/northwind/jobs/1042',
        title: 'Head of Security',
        department: 'Security',
        location: 'Oslo, Norway',
        country_code: 'NO',
        published_date: '2026-11-06',
        first_seen: '2026-11-09',
      },
    ],
  },
)
