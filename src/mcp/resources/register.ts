import type { Bellwether } from '@bellwether/client'
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { decodeUriPart, RESOURCE_MIME_TYPE, type ResourceDefinition, throwReadError } from './define.ts'

export function registerResource(server: McpServer, client: Bellwether, resource: ResourceDefinition): void {
  const { name, title, description, uri: address, read, list, complete } = resource
  const config = { title, description, mimeType: RESOURCE_MIME_TYPE }
  const answer = async ({ href: uri }: URL, id: string) => {
    const text = await read(client, id).catch((error) => throwReadError(uri, error))
    return { contents: [{ uri, mimeType: RESOURCE_MIME_TYPE, text }] }
  }
  if (typeof address === 'string') {
    server.registerResource(name, address, config, (uri) => answer(uri, ''))
    return
  }
  const template = new ResourceTemplate(address, {
    list:
      list &&
      (async () => ({ resources: (await list(client)).map((one) => ({ mimeType: RESOURCE_MIME_TYPE, ...one })) })),
    ...(complete ? { complete: { id: (typed) => complete(client, typed) } } : {}),
  })
  server.registerResource(name, template, config, (uri, { id }) => answer(uri, decodeUriPart(String(id))))
}
