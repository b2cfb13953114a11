import { Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { ADDITIVE, ClosedObject, defineTool, ToolArguments } from '../shared/define.ts'
import { quoteName, singleLine } from '../shared/quoted.ts'
import { findPerson } from '../shared/resolve.ts'

export const revealEmailTool = defineTool({
  name: 'reveal_email',
  title: 'Reveal an email',
  description:
    'Answers the verified work email of a person, looking it up where it is not known yet; where none can be proven, says why and gives none. Use it for people without an email; find_people looks for one by itself. Takes no credits.',
  input: ToolArguments(
    {
      person: Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'The id of a person, or their exact full name',
      }),
    },
    { person: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90' },
  ),
  output: ClosedObject({
    id: Type.String(),
    email: Nullable(Type.String()),
    reason: Nullable(Type.String({ description: 'Why there is none' })),
  }),
  annotations: { ...ADDITIVE, openWorldHint: true },
  async run(client, { person }) {
    const { id, email, reason } = await client.post('/v1/people/{id}/email', {
      path: { id: await findPerson(client, person) },
    })
    return { id, email, reason: reason && singleLine(reason, 300) }
  },
  text: ({ email, reason }) => email ?? `No verified email. ${reason ? quoteName(reason, 300) : ''}`.trim(),
})
