import type { TSchema } from 'typebox'

/** The parts of a schema that define optional fields. */
type Node = {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  // JSON Schema keywords used by POST /accounts.
  then?: Node
  else?: Node
}

type Change = (value: unknown) => void

/**
 * Returns a function that removes null values of optional fields: many clients send null for absent fields. A null that the
 * schema allows is kept. Returns null when the schema has no such field.
 */
export function stripNulls(schema: TSchema): Change | null {
  return changeOf(schema as Node)
}

function changeOf(node: Node): Change | null {
  const parts = [ofObject(node), ofArray(node), node.then && changeOf(node.then), node.else && changeOf(node.else)]
  const changes = parts.filter((part) => typeof part === 'function')
  if (changes.length < 2) return changes[0] ?? null
  return (value) => {
    for (const change of changes) change(value)
  }
}

function ofObject({ properties = {}, required = [] }: Node): Change | null {
  const fields = Object.entries(properties)
  const absent = fields.filter(([name, field]) => !required.includes(name) && !takesNull(field)).map(([name]) => name)
  const inner = fields.flatMap(([name, field]) => {
    const change = changeOf(field)
    return change ? [{ name, change }] : []
  })
  if (absent.length === 0 && inner.length === 0) return null
  return (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return
    const record = value as Record<string, unknown>
    for (const name of absent) if (record[name] === null) delete record[name]
    for (const { name, change } of inner) change(record[name])
  }
}

function ofArray({ items }: Node): Change | null {
  const change = items ? changeOf(items) : null
  return change && ((value) => (Array.isArray(value) ? value.forEach(change) : undefined))
}

const takesNull = ({ type, enum: values }: Node) => [type].flat().includes('null') || values?.includes(null)
