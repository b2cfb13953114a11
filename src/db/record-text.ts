import { isoTimestamp } from './columns.ts'

/**
 * The type of a field. `word`: text that is never empty and needs no escaping, such as an id or a date. A field without a
 * kind is arbitrary text.
 */
export type ColumnKind = 'word' | 'number' | 'flag' | 'time' | 'texts' | 'json'
export type ColumnKinds = Readonly<Partial<Record<string, ColumnKind>>>

/** A control character that texts rarely contain. If one does, the number of fields is wrong, which is detected. */
const SEPARATOR = '\u001f'

/** How PostgreSQL returns the fields of a page of records in one text, and how that text is converted to JSON. */
export type TextForm = {
  /** SQL expression for all rows of `record`. */
  sql: string
  /** The JSON of `count` records; null when a field contains the separator, so the fields cannot be separated. */
  jsonOf: (text: string, count: number) => string | null
}

/**
 * Concatenates all fields into one text. Serializing to JSON in PostgreSQL takes twice as long, and receiving a value per
 * field costs twice as much here (docs/decisions/0004). An empty field is null: texts are prefixed with `=`, and values of
 * other kinds are never empty.
 */
export function textForm(names: readonly string[], kinds: ColumnKinds): TextForm {
  const fields = names.map((name) => {
    const kind = kinds[name]
    if (kind === undefined) return `'=' || record.${name}`
    return kind === 'texts' ? `array_to_json(record.${name})` : `record.${name}`
  })
  const keys = names.map((name, at) => `${at === 0 ? '{' : ','}"${name}":`)
  const write = names.map((name) => WRITERS[kinds[name] ?? 'text'])
  return {
    sql: `coalesce(string_agg(concat(${fields.join(`, '${SEPARATOR}', `)}), '${SEPARATOR}'), '')`,
    jsonOf(text, count) {
      if (count === 0) return ''
      const fields = text.split(SEPARATOR)
      if (fields.length !== count * names.length) return null
      let json = ''
      let at = 0
      for (let row = 0; row < count; row++) {
        if (row > 0) json += ','
        for (let column = 0; column < keys.length; column++) {
          const field = fields[at++] as string
          json += keys[column] as string
          json += field === '' ? 'null' : (write[column] as (field: string) => string)(field)
        }
        json += '}'
      }
      return json
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON requires escaping them
const ESCAPED = /["\\\u0000-\u001f]/

const WRITERS: Record<ColumnKind | 'text', (field: string) => string> = {
  text: (field) => (ESCAPED.test(field) ? JSON.stringify(field.slice(1)) : `"${field.slice(1)}"`),
  word: (field) => `"${field}"`,
  number: (field) => field,
  flag: (field) => (field === 't' ? 'true' : 'false'),
  time: (field) => `"${isoTimestamp(field)}"`,
  texts: (field) => field,
  json: (field) => field,
}
