import { Type } from 'typebox'
import { Nullable } from '../../http/schema.ts'
import { ADDITIVE, ClosedObject, defineTool, READ_ONLY, ToolArguments } from '../shared/tool.ts'
import { blockQuote, quoteName, singleLine, UNTRUSTED_NOTICE } from '../shared/untrusted-text.ts'

const MATCHES = 10

const description = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
  description:
    'What to look for, in plain language: "The company is automating a warehouse or has ordered robots for one."',
})

export const previewSignalTool = defineTool({
  name: 'preview_signal',
  title: 'Preview a signal',
  description:
    'Tries the description of a signal before it is created: on a text, or on what was read last about the accounts. Shows the sentences it would have found. Use it to sharpen a description. Nothing is stored; costs nothing.',
  input: ToolArguments(
    {
      description,
      text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200_000,
          description: 'A text to try it on; the documents of the accounts when left out',
        }),
      ),
      company: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'With a text: the company it is read for' }),
      ),
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 365,
          description: 'Without a text: only what was published in so many days',
        }),
      ),
    },
    { description: 'The company is automating a warehouse or has ordered robots for one.', days: 30 },
  ),
  output: ClosedObject({
    documents: Nullable(Type.Integer({ description: 'How many documents were looked through; null for a text' })),
    unread: Type.Integer({ description: 'Documents that could not be looked through' }),
    found: Type.Integer({ description: 'How many sentences tell it' }),
    quoted: Type.Array(
      ClosedObject({
        quote: Type.String(),
        confidence: Type.Number(),
        source_url: Nullable(Type.String()),
        account_id: Nullable(Type.String()),
        account_name: Nullable(Type.String()),
      }),
      { description: `The likeliest ${MATCHES}. ${UNTRUSTED_NOTICE}` },
    ),
  }),
  annotations: READ_ONLY,
  async run(client, args) {
    const { matches, findings, documents, unread } = await client.post('/v1/signals/preview', { body: args })
    const all = [
      ...matches.map((one) => ({ ...one, source_url: null, account_id: null, account_name: null })),
      ...findings,
    ]
    const quoted = all.slice(0, MATCHES).map(({ sentence, confidence, source_url, account_id, account_name }) => ({
      ...{ quote: singleLine(sentence, 400), confidence: Math.round(confidence * 100) / 100, source_url, account_id },
      account_name: account_name && singleLine(account_name, 120),
    }))
    return { documents, unread: unread.length, found: all.length, quoted }
  },
  text({ documents, unread, found, quoted }) {
    const where = documents === null ? 'in the text' : `in ${documents} documents`
    const failed = unread > 0 ? ` ${unread} documents could not be read: what they tell is not known.` : ''
    if (found === 0) return `Nothing ${where} tells it.${failed} Say it more concretely, or it has not happened.`
    const lines = quoted.map(
      ({ quote: said, confidence, source_url, account_name }) =>
        `Confidence ${confidence}${account_name ? `, ${quoteName(account_name)}` : ''}:\n${blockQuote(said, source_url)}`,
    )
    const more = found > quoted.length ? `\n\n${found - quoted.length} more are not shown.` : ''
    return `${found} sentences ${where} tell it.${failed} ${UNTRUSTED_NOTICE}\n\n${lines.join('\n')}${more}`
  },
})

export const createSignalTool = defineTool({
  name: 'create_signal',
  title: 'Create a signal',
  description:
    'Creates a signal of the team’s own from a description; it is looked for at every account from then on, and in what was read before. Use preview_signal first. Costs no credits; the whole team sees what it finds.',
  input: ToolArguments(
    {
      name: Type.String({
        minLength: 1,
        maxLength: 80,
        pattern: '\\S',
        description: 'A short name that no other signal has',
      }),
      description,
    },
    {
      name: 'Warehouse automation',
      description: 'The company is automating a warehouse or has ordered robots for one.',
    },
  ),
  output: ClosedObject({
    id: Type.String({ description: 'For discover and whats_new' }),
    name: Type.String(),
    description: Type.String(),
    enabled: Type.Boolean(),
  }),
  annotations: { ...ADDITIVE, idempotentHint: false },
  async run(client, body) {
    const { id, name, description: said, enabled } = await client.post('/v1/signals', { body })
    return { id, name: singleLine(name, 80), description: singleLine(said, 2000), enabled }
  },
  text: ({ id, name }) =>
    `Created: ${quoteName(name)}, id \`${id}\`. What was read before is looked through now; whats_new shows what it finds.`,
})
