import { Type } from 'typebox'
import { ADDITIVE, ClosedObject, defineTool, ToolArguments } from '../shared/define.ts'
import { nextStepFor, ToolError } from '../shared/errors.ts'
import { quoteName, singleLine } from '../shared/quoted.ts'
import { findAccounts } from '../shared/resolve.ts'

const MOST = 50

export const activateAccountsTool = defineTool({
  name: 'activate_accounts',
  title: 'Activate accounts',
  description:
    'Makes suggested accounts active: they are enriched, scanned and watched from then on, and their people can be found. Takes ONE PLAN CREDIT for each account, so ask the person before you activate more than they named. An account that is active already takes none.',
  input: ToolArguments(
    {
      accounts: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        minItems: 1,
        maxItems: MOST,
        description: `Ids, domains or exact names; at most ${MOST}`,
      }),
    },
    { accounts: ['northwind.example'] },
  ),
  output: ClosedObject({
    active: Type.Array(ClosedObject({ id: Type.String(), name: Type.String() }), {
      description: 'Active now, also those that were before',
    }),
    credits_taken: Type.Integer(),
    refused: Type.Array(
      ClosedObject({ id: Type.String(), name: Type.String(), code: Type.String(), message: Type.String() }),
    ),
  }),
  // Their sites are read.
  annotations: { ...ADDITIVE, openWorldHint: true },
  async run(client, { accounts }) {
    const found = new Map((await findAccounts(client, accounts)).map(({ id, name }) => [id, singleLine(name, 120)]))
    const nameOf = (id: string) => found.get(id) ?? id
    const body = { ids: [...found.keys()], action: 'activate' as const }
    const { results, before } = await client.post('/v1/accounts/bulk', { body })
    const refused = results.map(({ id, code, message }) => ({ id, name: nameOf(id), code, message }))
    if (refused.length === found.size) throw new ToolError(refused.map(refusal).join('\n'))
    const isRefused = new Set(refused.map(({ id }) => id))
    const active = [...found].filter(([id]) => !isRefused.has(id)).map(([id, name]) => ({ id, name }))
    return { active, credits_taken: before.length, refused }
  },
  text({ active, credits_taken, refused }) {
    const lines = active.map(({ id, name }) => `- ${quoteName(name)}, id ${id}`)
    const rest = refused.length > 0 ? `\nRefused:\n${refused.map((one) => `- ${refusal(one)}`).join('\n')}` : ''
    const begun =
      credits_taken === 0
        ? 'They were active before; no credits taken'
        : `Active; credits taken: ${credits_taken}. ${credits_taken < active.length ? 'Those that were not before' : 'They'} are being scanned now`
    return `${begun}:\n${lines.join('\n')}${rest}`
  },
})

const refusal = ({ name, code, message }: { name: string; code: string; message: string }) =>
  `${quoteName(name)}: ${message} ${nextStepFor(code)} (${code})`
