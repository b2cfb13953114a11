import { Type } from 'typebox'
import { DiscoveryReport, formatRun, loadDiscoveryReport } from '../records/run.ts'
import { ADDITIVE, defineTool, ToolArguments } from '../shared/define.ts'
import { findSignals } from '../shared/resolve.ts'
import { followRun, waitSecondsArgument } from '../shared/wait.ts'
import { requestKeyArgument } from './request-key.ts'

const signals = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { maxItems: 100, description: `${description}, by id or name` }),
  )
const words = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 300, description }))

export const discoverTool = defineTool({
  name: 'discover',
  title: 'Discover companies',
  description:
    'Finds new companies that show signals, by geography, industry and size, and adds those that match as suggested accounts; waits with progress. Can take minutes and uses paid research: start it when the person wants new accounts, not to look at known ones. It goes on when you stop waiting.',
  input: ToolArguments(
    {
      any_of: signals('One of these signals'),
      must_have: signals('All of these signals'),
      exclude: signals('None of these signals'),
      name: Type.Optional(Type.String({ maxLength: 200, description: 'What to call it' })),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 99_999, description: 'Events of the last so many days; 90 unless given' }),
      ),
      geographies: words('Regions (DACH), countries, states or cities'),
      industries: words('Industries by any usual name'),
      employee_min: Type.Optional(Type.Integer({ minimum: 0 })),
      employee_max: Type.Optional(Type.Integer({ minimum: 0 })),
      wait_seconds: waitSecondsArgument,
      request_key: requestKeyArgument,
    },
    { any_of: ['funding'], geographies: ['DACH'], industries: ['Logistics'], employee_min: 50 },
  ),
  output: DiscoveryReport,
  annotations: { ...ADDITIVE, idempotentHint: false, openWorldHint: true },
  async run(client, args, context) {
    const { any_of = [], must_have = [], exclude = [], days, wait_seconds, request_key, ...rest } = args
    const [some, all, none] = await Promise.all([any_of, must_have, exclude].map((list) => findSignals(client, list)))
    const { run_id } = await client.post('/v1/runs', {
      body: {
        ...rest,
        signals: { any_of: some, must_have: all, exclude: none },
        ...(days === undefined ? {} : { recency: String(days) }),
      },
      ...(request_key ? { idempotencyKey: request_key } : {}),
    })
    context.progress(0, null, 'Looking for companies')
    return loadDiscoveryReport(client, await followRun(client, run_id, wait_seconds, context))
  },
  text: formatRun,
})
