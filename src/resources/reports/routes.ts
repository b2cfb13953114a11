import { Readable } from 'node:stream'
import { sendCsv, wantsCsv } from '../../http/csv.ts'
import { op, type Routes } from '../../http/operation.ts'
import { viewerOf } from '../../shared/member.ts'
import { reportOutcomes } from './outcomes.ts'
import { OUTCOME_COLUMNS, Outcomes, OutcomesQuery } from './schema.ts'

export const reportRoutes: Routes = (app, deps) => {
  app.get(
    '/reports/outcomes',
    op('reportOutcomes', {
      tag: 'Reports',
      summary: 'Report what became of findings: contacted, answered, deal opened, won',
      description:
        'By signal, source or owner. A reply, a meeting or a deal of the CRM counts for the work item of its account that was contacted first within the window before it, and so for the findings of that item. Each deal counts once in a row and once in the total. CSV has the total as its last line. A member with scoped visibility gets only their own accounts.',
      query: OutcomesQuery,
      data: Outcomes,
      csv: true,
      extension: true,
    }),
    async (req, reply) => {
      const outcomes = await reportOutcomes(deps, viewerOf(req.member), req.query)
      if (!wantsCsv(req)) return outcomes
      const lines = Readable.from([...outcomes.rows, outcomes.total])
      return sendCsv(reply, `results-${outcomes.from}-${outcomes.to}`, OUTCOME_COLUMNS, lines) as never
    },
  )
}
