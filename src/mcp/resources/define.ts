import { ApiError, type Bellwether } from '@bellwether/client'
import { ResourceNotFoundError, UriTemplate } from '@modelcontextprotocol/server'
import { describeError, ToolError, throwProtocolError } from '../shared/errors.ts'

export type ListedResource = { uri: string; name: string; title?: string; description?: string }

/** A kind of resource, read through the client and so with the rights of its key. */
export type ResourceDefinition = {
  name: string
  title: string
  description: string
  /** With `{id}`, or the one address of a single resource. */
  uri: string | UriTemplate
  read: (client: Bellwether, id: string) => Promise<string>
  /** The first few of them. */
  list?: (client: Bellwether) => Promise<ListedResource[]>
  /** What may be put for `{id}`, after what was typed. */
  complete?: (client: Bellwether, typed: string) => Promise<string[]>
}

/** Templates are parsed once, not for every request. */
export function parseUriTemplate(uri: string): UriTemplate {
  return new UriTemplate(uri)
}

export const RESOURCE_MIME_TYPE = 'text/markdown'

/** So many are listed of a kind, and completed. */
export const MAX_LISTED = 20

/** Like `protocolError`, and says which resource is not there: also what a name did not lead to. */
export function throwReadError(uri: string, error: unknown): never {
  if (error instanceof ToolError || ApiError.is(error, 'not_found'))
    throw new ResourceNotFoundError(uri, describeError(error) ?? undefined)
  return throwProtocolError(error)
}

/** What is not well encoded names nothing, as it stands. */
export function decodeUriPart(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
