import type { Bellwether } from '@bellwether/client'
import { McpServer } from '@modelcontextprotocol/server'
import { VERSION } from '../version.ts'

/** A server that speaks for one caller: everything it does is done through `client`, with the rights of its key. */
export function createMcpServer(_client: Bellwether): McpServer {
  return new McpServer({ name: 'bellwether', title: 'Bellwether', version: VERSION })
}
