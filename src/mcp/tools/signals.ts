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
    'What to detect, in plain language: "The company is automating a warehouse or has ordered robots for one."',
})

export const previewSignalTool = defineTool({
  name: 'preview_signal',
  title: 'Preview a signal',
  description:
    'Tests the description of a signal before it is created: on a text, or on the latest documents of the accounts. Returns the sentences it would match. Use it to refine a description. Nothing is stored; free.',
  input: ToolArguments(
    {
      description,
      text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200_000,
          description: 'A text to test it on; by default the documents of the accounts',
        }),
      ),
      company: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'With a text: the company it is about' }),
      ),
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 365,
          description: 'Without a text: only documents published in this number of days',
        }),
      ),
    },
    { description: 'The company is automating a warehouse or has ordered robots for one.', days: 30 },
  ),
  output: ClosedObject({
    documents: Nullable(Type.Integer({ description: 'Number of documents checked; null for a text' })),
    unread: Type.Integer({ description: 'Documents that could not be read' }),
    found: Type.Integer({ description: 'Number of matching sentences' }),
    quoted: Type.Array(
      ClosedObject({
        quote: Type.String(),
        confidence: Type.Number(),
        source_url: Nullable(Type.String()),
        account_id: Nullable(Type.String()),
        account_name: Nullable(Type.String()),
      }),
      { description: `The ${MATCHES} most likely matches. ${UNTRUSTED_NOTICE}` },
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
    const failed = unread > 0 ? ` ${unread} documents could not be read, so their content is unknown.` : ''
    if (found === 0)
      return `No sentence ${where} matches.${failed} Describe it more concretely, or it has not happened.`
    const lines = quoted.map(
      ({ quote: sentence, confidence, source_url, account_name }) =>
        `Confidence ${confidence}${account_name ? `, ${quoteName(account_name)}` : ''}:\n${blockQuote(sentence, source_url)}`,
    )
    const more = found > quoted.length ? `\n\n${found - quoted.length} more are not shown.` : ''
    return `${found} sentences ${where} match.${failed} ${UNTRUSTED_NOTICE}\n\n${lines.join('\n')}${more}`
  },
})

export const createSignalTool = defineTool({
  name: 'create_signal',
  title: 'Create a signal',
  description:
    'Creates a custom signal from a description; it is detected at every account from then on, and in documents read before. Use preview_signal first. Uses no credits; the whole team sees its findings.',
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
    const { id, name, description: stored, enabled } = await client.post('/v1/signals', { body })
    return { id, name: singleLine(name, 80), description: singleLine(stored, 2000), enabled }
  },
  text: ({ id, name }) =>
    `Created: ${quoteName(name)}, id \`${id}\`. Documents read before are being checked now; whats_new shows the findings.`,
})
