import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'

// The tools, resources and prompts that the conformance suite requires in addition to the protocol.
// They replace ours, so that the suite tests the service as it is mounted.

/** The smallest picture and the shortest sound. */
const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8cfc0f01f0005000' +
    '1ff89993d1d0000000049454e44ae426082',
  'hex',
).toString('base64')
const WAV = Buffer.concat([
  Buffer.from('RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1'),
  Buffer.from('401f0000803e000002001000', 'hex'),
  Buffer.from('data\x02\0\0\0\0\0', 'latin1'),
]).toString('base64')

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
const strings = (...names: string[]) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  })
const ask = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  })
const sample = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 })

const state = createRequestStateCodec({ key: 'a key of at least thirty-two bytes!' })

/** Requests inputs, and completes when all were received. */
async function withInputs(ctx: ServerContext, inputRequests: InputRequests, requestState?: string) {
  const { inputResponses } = ctx.mcpReq
  const isWhole = Object.keys(inputRequests).every((key) => inputResponse(inputResponses, key).kind !== 'missing')
  return isWhole ? say('state-ok') : inputRequired({ inputRequests, ...(requestState ? { requestState } : {}) })
}

export function conformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities: {
        logging: {},
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      requestState: { verify: state.verify },
    },
  )
  const tool = (
    name: string,
    run: (ctx: ServerContext) => ReturnType<typeof withInputs> | CallToolResult | Promise<CallToolResult>,
  ) => server.registerTool(name, { description: `What the suite calls ${name}` }, run)
  contentTools(tool)
  inputTools(tool)
  resources(server)
  prompts(server)
  return server
}

type Register = (
  name: string,
  run: (ctx: ServerContext) => ReturnType<typeof withInputs> | CallToolResult | Promise<CallToolResult>,
) => unknown

function contentTools(tool: Register): void {
  const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const
  const resource = (uri: string) =>
    ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'A resource within.' } }) as const
  tool('test_simple_text', () => say('This is a simple text response for testing.'))
  tool('test_image_content', () => ({ content: [image] }))
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }))
  tool('test_embedded_resource', () => ({ content: [resource('test://embedded-resource')] }))
  tool('test_multiple_content_types', () => ({
    content: [{ type: 'text', text: 'Several.' }, image, resource('test://mixed-content-resource')],
  }))
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    tool(name, async (ctx) => {
      for (const step of ['started', 'goes on', 'is done']) await ctx.mcpReq.log('info', `It ${step}`)
      return say('Logged.')
    })
  }
  tool('test_tool_with_progress', async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken ?? 0
    for (const progress of [0, 50, 100]) {
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    }
    return say('Done.')
  })
}

function inputTools(tool: Register): void {
  const name = { user_name: ask('What is your name?', 'name') }
  const roots = { client_roots: inputRequired.listRoots() }
  const confirm = { confirm: ask('Please confirm', 'ok') }
  tool('test_input_required_result_elicitation', (ctx) => withInputs(ctx, name))
  tool('test_streaming_elicitation', (ctx) => withInputs(ctx, name))
  tool('test_input_required_result_sampling', (ctx) => withInputs(ctx, { capital: sample('The capital of France?') }))
  tool('test_missing_capability', (ctx) => withInputs(ctx, { any: sample('Anything') }))
  tool('test_input_required_result_list_roots', (ctx) => withInputs(ctx, roots))
  for (const one of ['request', 'tampered']) {
    tool(`test_input_required_result_${one}_state`, async (ctx) => withInputs(ctx, confirm, await state.mint({ one })))
  }
  tool('test_input_required_result_multiple_inputs', async (ctx) => {
    return withInputs(ctx, { ...name, greeting: sample('Greet'), ...roots }, await state.mint({}))
  })
  tool('test_input_required_result_multi_round', async (ctx) => {
    const { step } = ctx.mcpReq.requestState<{ step: number }>() ?? { step: 0 }
    const next = acceptedContent(ctx.mcpReq.inputResponses, `step${step}`) ? step + 1 : Math.max(1, step)
    if (next > 2) return say('Done.')
    const inputRequests = { [`step${next}`]: ask(`Step ${next}`, next === 1 ? 'name' : 'color') }
    return inputRequired({ inputRequests, requestState: await state.mint({ step: next }) })
  })
  tool('test_input_required_result_capabilities', (ctx) => {
    const envelope = ctx.mcpReq.envelope as Record<string, { elicitation?: object; sampling?: object }> | undefined
    const has = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
    return withInputs(ctx, { ...(has.elicitation ? name : {}), ...(has.sampling ? { any: sample('Anything') } : {}) })
  })
}

function resources(server: McpServer): void {
  const text = (uri: string) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'Text.' }] })
  const plain = { mimeType: 'text/plain' }
  server.registerResource('text', 'test://static-text', plain, () => text('test://static-text'))
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, () => ({
    contents: [{ uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', {
    list: undefined,
    complete: { id: () => ['123'] },
  })
  server.registerResource('template', template, plain, (uri, { id }) => ({
    contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id, data: `Data for ${id}` }) }],
  }))
}

function prompts(server: McpServer): void {
  const description = 'A prompt that the suite asks for'
  const message = (text: string) => ({ role: 'user', content: { type: 'text', text } }) as const
  server.registerPrompt('test_simple_prompt', { description }, () => ({
    messages: [message('This is a simple prompt for testing.')],
  }))
  const two = strings('arg1', 'arg2')
  server.registerPrompt('test_prompt_with_arguments', { description, argsSchema: two }, ({ arg1, arg2 }) => ({
    messages: [message(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }))
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: strings('resourceUri') },
    ({ resourceUri = '' }) => ({
      messages: [
        {
          role: 'user',
          content: { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Within.' } },
        },
        message('Please process the embedded resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      message('Please analyze the image above.'),
    ],
  }))
  server.registerPrompt('test_input_required_result_prompt', { description }, (ctx) =>
    acceptedContent(ctx.mcpReq.inputResponses, 'user_context')
      ? { messages: [message('With context.')] }
      : inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', 'context') } }),
  )
}
