import { Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { ADDS, Arguments, defineTool, Shape } from '../shared/define.ts'
import { line, named } from '../shared/quoted.ts'
import { findPerson } from '../shared/resolve.ts'

export const revealEmail = defineTool({
  name: 'reveal_email',
  title: 'Reveal an email',
  description:
    'Answers the verified work email of a person, looking it up where it is not known yet; where none can be proven, says why and gives none. Use it for people without an email; find_people looks for one by itself. Takes no credits.',
  input: Arguments(
    {
      person: Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'The id of a person, or their exact full name',
      }),
    },
    { person: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90' },
  ),
  output: Shape({
    id: Type.String(),
    email: Nullable(Type.String()),
    reason: Nullable(Type.String({ description: 'Why there is none' })),
  }),
  annotations: { ...ADDS, openWorldHint: true },
  async run(client, { person }) {
    const { id, email, reason } = await client.post('/v1/people/{id}/email', {
      path: { id: await findPerson(client, person) },
    })
    return { id, email, reason: reason && line(reason, 300) }
  },
  text: ({ email, reason }) => email ?? `No verified email. ${reason ? named(reason, 300) : ''}`.trim(),
})
