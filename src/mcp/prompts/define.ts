import type { Bellwether } from '@bellwether/client'
import type { PromptMessage } from '@modelcontextprotocol/server'
import { RESOURCE_MIME_TYPE } from '../resources/define.ts'

type Argument = {
  name: string
  description: string
  required: boolean
  /** What may be put for it, after what was typed and what the other arguments are. */
  complete: (client: Bellwether, typed: string, others: Record<string, string>) => Promise<string[]>
}

/** A task that a person picks: what to do, and what is known for it. */
export type PromptDefinition = {
  name: string
  title: string
  description: string
  arguments: readonly Argument[]
  messages: (client: Bellwether, given: Record<string, string | undefined>) => Promise<PromptMessage[]>
}

export function userMessage(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } }
}

/** A resource with its text, so that the client need not read it. */
export function resourceMessage(uri: string, text: string): PromptMessage {
  return { role: 'user', content: { type: 'resource', resource: { uri, mimeType: RESOURCE_MIME_TYPE, text } } }
}
