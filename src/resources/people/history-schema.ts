import { Type } from 'typebox'
import { Nullable, OneOf } from '../../http/schema.ts'

/** Where something about somebody's jobs was seen. */
export const MoveSourceSchema = Type.Object({
  url: Type.String(),
  source: Type.String(),
  quote: Type.Optional(Type.String({ description: 'The sentence that says so' })),
  seen_on: Type.String({ format: 'date', description: 'The day of the source, or of the look at it' }),
})

const day = (description: string) => Nullable(Type.String({ format: 'date', description }))

/** A job of somebody, as sources tell it. */
export const HistoryJob = Type.Object({
  employer: Type.String(),
  employer_domain: Nullable(Type.String()),
  account_id: Nullable(Type.String({ description: 'The account that is the employer; null: none is' })),
  title: Nullable(Type.String()),
  from: day('null: no source gives the day'),
  until: day('null: no source gives the day, or it goes on'),
  is_over: Type.Boolean({ description: 'Also where nobody says since when' }),
  sources: Type.Array(MoveSourceSchema),
})

/** That somebody left, came or changed role. */
export const PersonMove = Type.Object({
  id: Type.String(),
  kind: OneOf(['left', 'joined', 'changed_role']),
  text: Type.String(),
  happened_on: day('null: no source gives the day'),
  evidence: Type.Array(MoveSourceSchema),
  created_at: Type.String({ format: 'date-time' }),
})

export const HISTORY_EXAMPLE = [
  {
    employer: 'Southwind Rail',
    employer_domain: 'southwind.example',
    account_id: null,
    title: 'Chief Operating Officer',
    from: null,
    until: null,
    is_over: false,
    sources: [
      {
        url: 'https://southwind.example/news/new-coo',
        source: 'website',
        quote: 'Southwind Rail appoints Mara Lindqvist, formerly of Northwind Freight, as Chief Operating Officer',
        seen_on: '2026-11-12',
      },
    ],
  },
]
