import { Type } from 'typebox'
import { Body, Nullable, Rec, Timestamp } from '../../http/schema.ts'

const title = Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', description: 'Section heading' })
const contentMd = Type.String({ maxLength: 200_000, description: 'Markdown body' })
const type = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '\\S',
  description: 'overview, product, value_prop, icp, pricing, competitor, custom, or any other type',
})
const position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'The position, from 0. The others move up or down; a position beyond the end is the end',
})

export const Section = Rec(
  'KnowledgeSection',
  {
    id: Type.String(),
    type: Type.String(),
    title: Type.String(),
    content_md: Type.String(),
    source_url: Nullable(Type.String()),
    is_ai_generated: Type.Boolean(),
    drawn_from: Type.Array(Type.Object({ url: Type.String(), sentence: Type.String() }), {
      description:
        'Extension: the sentences of your own site from which it was drafted, as far as it still contains them',
    }),
    position: Type.Integer(),
    created_at: Timestamp(),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
    type: 'icp',
    title: 'Who we sell to',
    content_md: '- Logistics companies in DACH\n- 200 to 5,000 employees',
    source_url: null,
    is_ai_generated: false,
    drawn_from: [],
    position: 0,
    created_at: '2026-11-01T08:00:00.000Z',
  },
)

const counted = (description: string) =>
  Type.Array(Type.Object({ name: Type.String(), count: Type.Integer({ description: 'Number of customers' }) }), {
    description,
  })

export const IcpFromCustomers = Rec(
  'IcpFromCustomers',
  {
    customers: Type.Integer({ description: 'Accounts that are customers by your CRM' }),
    based_on: Type.Integer({ description: 'Of these, the customers of the draft: those with the highest won amount' }),
    note: Type.String({ description: 'What the draft is based on, or why there is none' }),
    sizes: counted('By number of employees'),
    industries: counted('The most frequent first'),
    countries: counted('The most frequent first'),
    technologies: counted('The most frequent first'),
    title: Type.String(),
    content_md: Nullable(
      Type.String({ description: 'The drafted profile, to be edited and saved as a section of the type icp' }),
    ),
  },
  {
    customers: 52,
    based_on: 40,
    note: 'Drafted from the 40 of your 52 customers with the highest won amount.',
    sizes: [{ name: '201–500', count: 22 }],
    industries: [{ name: 'Logistics', count: 19 }],
    countries: [{ name: 'Germany', count: 31 }],
    technologies: [{ name: 'Zendesk', count: 14 }],
    title: 'Companies like our best customers',
    content_md: '- Company size: 200 to 2,000 employees\n- Industries: Logistics\n- Countries: Germany',
  },
)

export const CreateSection = Body(
  'CreateKnowledgeSection',
  { title, content_md: contentMd, type: Type.Optional(type), position: Type.Optional(position) },
  { title: 'Who we sell to', content_md: '- Logistics companies in DACH', type: 'icp', position: 0 },
)

export const UpdateSection = Body(
  'UpdateKnowledgeSection',
  {
    title: Type.Optional(title),
    content_md: Type.Optional(contentMd),
    type: Type.Optional(type),
    position: Type.Optional(position),
  },
  { position: 2 },
)
