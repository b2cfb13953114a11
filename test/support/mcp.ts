import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Bellwether, type ClientOptions } from '@bellwether/client'
import { Client, InMemoryTransport, type Progress } from '@modelcontextprotocol/client'
import { Ajv } from 'ajv'
import { createMcpServer } from '../../src/mcp/server.ts'
import type { Answer } from './client.ts'
import { connectMcp } from './mcp-client.ts'

export type Called = {
  isError: boolean
  text: string
  /** The structured content, validated against the output schema of the tool. */
  data: Answer['data']
  /** Bytes of the result on the wire. */
  bytes: number
}

type Options = { signal?: AbortSignal; onprogress?: (progress: Progress) => void }

export type Agent = Awaited<ReturnType<typeof agentOf>>

/** The official client, connected in memory to a server that uses this API key. */
export async function agent(address: string, key: string, fetch?: ClientOptions['fetch']): Promise<Agent> {
  const reported: unknown[] = []
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createMcpServer(
    new Bellwether({ url: address, key, retries: 0, ...(fetch ? { fetch } : {}) }),
    (error) => reported.push(error),
  )
  await server.connect(far)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(near)
  return agentOf(client, reported)
}

/** The official client, connected to /mcp of a service. */
export const agentOverHttp = async (address: string, key: string): Promise<Agent> =>
  agentOf(await connectMcp(address, key), [])

async function agentOf(client: Client, reported: unknown[]) {
  after(() => client.close())
  const { tools } = await client.listTools()
  const ajv = new Ajv({ strict: false })
  const valid = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema as object)]))

  async function call(name: string, args: object = {}, options: Options = {}): Promise<Called> {
    const result = await client.callTool({ name, arguments: args as Record<string, unknown> }, options)
    const [content] = result.content
    assert.equal(content?.type, 'text')
    const text = content?.type === 'text' ? content.text : ''
    const isError = result.isError ?? false
    const check = valid.get(name)
    if (!isError) assert.ok(check?.(result.structuredContent), `${name}: ${ajv.errorsText(check?.errors)}`)
    return { isError, text, data: result.structuredContent, bytes: Buffer.byteLength(JSON.stringify(result)) }
  }

  return {
    client,
    tools,
    call,
    /** Unexpected errors. */
    reported,
    /** The structured content of a call that must succeed. */
    async expect(name: string, args: object = {}, options: Options = {}): Promise<Answer['data']> {
      const { isError, text, data } = await call(name, args, options)
      assert.equal(isError, false, `${name}: ${text}`)
      return data
    },
    async read(uri: string): Promise<string> {
      const { contents } = await client.readResource({ uri })
      const [content] = contents
      return content && 'text' in content ? content.text : ''
    },
  }
}
