import type { Bellwether } from '@bellwether/client'
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { decoded, MIME_TYPE, notRead, type Resource } from './define.ts'

export function registerResource(server: McpServer, client: Bellwether, resource: Resource): void {
  const { name, title, description, uri: address, read, list, complete } = resource
  const config = { title, description, mimeType: MIME_TYPE }
  const answer = async ({ href: uri }: URL, id: string) => {
    const text = await read(client, id).catch((error) => notRead(uri, error))
    return { contents: [{ uri, mimeType: MIME_TYPE, text }] }
  }
  if (typeof address === 'string') {
    server.registerResource(name, address, config, (uri) => answer(uri, ''))
    return
  }
  const template = new ResourceTemplate(address, {
    list: list && (async () => ({ resources: (await list(client)).map((one) => ({ mimeType: MIME_TYPE, ...one })) })),
    ...(complete ? { complete: { id: (typed) => complete(client, typed) } } : {}),
  })
  server.registerResource(name, template, config, (uri, { id }) => answer(uri, decoded(String(id))))
}
