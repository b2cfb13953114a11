import { type Static, Type } from 'typebox'
import { BUYING_DEPARTMENTS } from '../../engine/playbook/index.ts'
import { Body, Nullable, OneOf, Rec } from '../../http/schema.ts'

const fields = {
  problem: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '\\S',
    description: 'What the reader struggles with; completes “help with …”',
  }),
  why_now: Type.String({
    minLength: 1,
    maxLength: 400,
    pattern: '\\S',
    description: 'Why such an event makes it urgent, as a sentence',
  }),
  proof: Nullable(
    Type.String({ maxLength: 400, description: 'A sentence; null chooses a proof by industry and size' }),
  ),
  ask: Nullable(Type.String({ maxLength: 200, description: 'The question; null uses one of the usual ones' })),
}
const department = OneOf([...BUYING_DEPARTMENTS])
const example = {
  problem: 'reporting to new investors without more manual work',
  why_now: 'New investors usually ask for monthly figures sooner than a finance team is set up to deliver.',
  proof: null,
  ask: null,
}

export const PlaybookEntry = Rec(
  'PlaybookEntry',
  {
    signal_id: Type.String(),
    signal_name: Type.String(),
    department,
    department_name: Type.String(),
    ...fields,
    source: OneOf(['default', 'edited']),
    section_id: Nullable(Type.String({ description: 'The section of the knowledge base; null for a default' })),
  },
  {
    signal_id: 'funding',
    signal_name: 'Funding',
    department: 'finance',
    department_name: 'Finance',
    ...example,
    source: 'default',
    section_id: null,
  },
)
export type PlaybookEntry = Static<typeof PlaybookEntry>

export const EditPlay = Body('EditPlay', fields, example)
export type EditPlay = Static<typeof EditPlay>

export const PlayParams = Type.Object({ signal_id: Type.String({ maxLength: 100 }), department })
