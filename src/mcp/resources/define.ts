import { ApiError, type Bellwether } from '@bellwether/client'
import { ResourceNotFoundError, UriTemplate } from '@modelcontextprotocol/server'
import { explain, protocolError, ToolError } from '../shared/errors.ts'

export type Listed = { uri: string; name: string; title?: string; description?: string }

/** A kind of resource, read through the client and so with the rights of its key. */
export type Resource = {
  name: string
  title: string
  description: string
  /** With `{id}`, or the one address of a single resource. */
  uri: string | UriTemplate
  read: (client: Bellwether, id: string) => Promise<string>
  /** The first few of them. */
  list?: (client: Bellwether) => Promise<Listed[]>
  /** What may be put for `{id}`, after what was typed. */
  complete?: (client: Bellwether, typed: string) => Promise<string[]>
}

/** Templates are parsed once, not for every request. */
export function template(uri: string): UriTemplate {
  return new UriTemplate(uri)
}

export const MIME_TYPE = 'text/markdown'

/** So many are listed of a kind, and completed. */
export const FEW = 20

/** Like `protocolError`, and says which resource is not there: also what a name did not lead to. */
export function notRead(uri: string, error: unknown): never {
  if (error instanceof ToolError || ApiError.is(error, 'not_found'))
    throw new ResourceNotFoundError(uri, explain(error) ?? undefined)
  return protocolError(error)
}

/** What is not well encoded names nothing, as it stands. */
export function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
