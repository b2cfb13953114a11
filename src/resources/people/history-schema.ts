import { Type } from 'typebox'
import { Nullable, OneOf } from '../../http/schema.ts'

/** A source that reports a job or a move. */
export const MoveSourceSchema = Type.Object({
  url: Type.String(),
  source: Type.String(),
  quote: Type.Optional(Type.String({ description: 'The sentence that proves it' })),
  seen_on: Type.String({ format: 'date', description: 'The date of the source, or the day it was read' }),
})

const day = (description: string) => Nullable(Type.String({ format: 'date', description }))

/** A job of a person, as sources report it. */
export const HistoryJob = Type.Object({
  employer: Type.String(),
  employer_domain: Nullable(Type.String()),
  account_id: Nullable(Type.String({ description: 'The account of the employer; null if there is none' })),
  title: Nullable(Type.String()),
  from: day('null: no source gives the day'),
  until: day('null: no source gives the day, or the job is current'),
  is_over: Type.Boolean({ description: 'Whether the job has ended, even if the day is unknown' }),
  sources: Type.Array(MoveSourceSchema),
})

/** A departure, a new job or a role change. */
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
