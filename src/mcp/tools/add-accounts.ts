import type { Schemas } from '@bellwether/client'
import { Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { ADDITIVE, ClosedObject, defineTool, ToolArguments } from '../shared/define.ts'
import { quoteName, singleLine } from '../shared/quoted.ts'
import { findOwner } from '../shared/resolve.ts'

const MOST = 100

export const addAccountsTool = defineTool({
  name: 'add_accounts',
  title: 'Add accounts',
  description:
    'Adds companies as suggested accounts. A domain that is there already changes nothing, so a repeat does no harm where domains are given. Costs nothing; activate_accounts has them watched.',
  input: ToolArguments(
    {
      accounts: Type.Array(
        Type.Object({
          name: Type.String({ minLength: 1, maxLength: 300, description: 'Name of the company' }),
          domain: Type.Optional(Type.String({ maxLength: 2048, description: 'Domain or address of its site' })),
          tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 100 })),
        }),
        { minItems: 1, maxItems: MOST, description: `Companies, each with name, domain and tags; at most ${MOST}` },
      ),
      owner: Type.Optional(Type.String({ description: 'Who owns them: "me", or the name, email or id of a member' })),
    },
    { accounts: [{ name: 'Northwind Freight', domain: 'northwind.example', tags: ['rail'] }] },
  ),
  output: ClosedObject({
    accounts: Type.Array(
      ClosedObject({
        id: Type.String(),
        name: Type.String(),
        domain: Nullable(Type.String()),
        status: Type.String(),
        created: Type.Boolean({ description: 'false: it was there already and is as it was' }),
      }),
    ),
  }),
  // Companies without a domain are added again by a repeat.
  annotations: { ...ADDITIVE, idempotentHint: false },
  async run(client, { accounts, owner }) {
    const owner_id = owner && (await findOwner(client, owner))
    const body = accounts.map((account) => ({ ...account, ...(owner_id ? { owner_id } : {}) }))
    // A list is answered with a list, and without `partial` each of it is an account.
    const added = (await client.post('/v1/accounts', { body })) as Schemas['CreatedAccount'][]
    return {
      accounts: added.map(({ id, name, domain, status, created }) => ({
        id,
        name: singleLine(name, 120),
        domain,
        status,
        created,
      })),
    }
  },
  text({ accounts }) {
    const added = accounts.filter(({ created }) => created).length
    const lines = accounts.map(
      ({ id, name, domain, status, created }) =>
        `- ${quoteName(name)} (${domain ?? 'no domain'}, ${created ? 'added' : `was there, ${status}`}), id ${id}`,
    )
    return `${added} added, ${accounts.length - added} were there already.\n${lines.join('\n')}`
  },
})
