import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Rec } from '../../http/schema.ts'

const group = OneOf(['signal', 'source', 'owner'])
export type OutcomeGroup = Static<typeof group>

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }))

export const OutcomesQuery = Type.Object({
  from: day('The first day on which a finding was stored, in UTC; 90 days up to `to` when absent'),
  to: day('The last day; today when absent. At most two years after `from`'),
  group_by: Type.Optional(
    OneOf(['signal', 'source', 'owner'], { default: 'signal', description: 'owner: of the account, today' }),
  ),
  window_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 90,
      description: 'A reply, a meeting or a deal counts up to this many days after the first contact',
    }),
  ),
})

const rate = (of: string) =>
  Nullable(Type.Number({ description: `Share of ${of}, 0 to 1; null with fewer than five of them` }))

export const OutcomeRow = Rec(
  'OutcomeRow',
  {
    key: Nullable(Type.String({ description: 'The signal, the source or the member; null: a job change, or none' })),
    name: Type.String(),
    findings: Type.Integer({ description: 'Findings and job changes that were not marked as wrong' }),
    contacted: Type.Integer({ description: 'Findings after which the account was contacted' }),
    contacted_rate: rate('findings'),
    answered: Type.Integer({ description: 'Contacted findings with a reply or a meeting' }),
    answered_rate: rate('contacted findings'),
    led_to_deal: Type.Integer({ description: 'Contacted findings after which a deal was opened' }),
    deal_rate: rate('contacted findings'),
    deals: Type.Integer({ description: 'Different deals; one may follow several findings' }),
    won: Type.Integer({ description: 'Deals of these that were won' }),
    won_rate: rate('deals'),
  },
  {
    ...{ key: 'funding', name: 'Funding', findings: 120, contacted: 48, contacted_rate: 0.4 },
    ...{ answered: 12, answered_rate: 0.25, led_to_deal: 6, deal_rate: 0.125, deals: 5, won: 2, won_rate: 0.4 },
  },
)

export const OUTCOME_COLUMNS = Object.keys(OutcomeRow.properties)

export const Outcomes = Rec(
  'Outcomes',
  {
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    group_by: group,
    window_days: Type.Integer(),
    total: OutcomeRow,
    rows: Type.Array(OutcomeRow, { description: 'The most findings first; at most 500' }),
  },
  {
    ...{ from: '2026-08-21', to: '2026-11-18', group_by: 'signal', window_days: 90 },
    total: {
      ...{ key: null, name: 'Total', findings: 120, contacted: 48, contacted_rate: 0.4 },
      ...{ answered: 12, answered_rate: 0.25, led_to_deal: 6, deal_rate: 0.125, deals: 5, won: 2, won_rate: 0.4 },
    },
    rows: [
      {
        ...{ key: 'funding', name: 'Funding', findings: 120, contacted: 48, contacted_rate: 0.4 },
        ...{ answered: 12, answered_rate: 0.25, led_to_deal: 6, deal_rate: 0.125, deals: 5, won: 2, won_rate: 0.4 },
      },
    ],
  },
)
