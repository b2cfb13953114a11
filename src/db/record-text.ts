import { isoTimestamp } from './timestamps.ts'

/**
 * What a field of a record is. `word`: text that is never empty and needs no escaping, such as an id or a date. Whatever is not
 * named is any text.
 */
export type ColumnKind = 'word' | 'number' | 'flag' | 'time' | 'texts' | 'json'
export type ColumnKinds = Readonly<Partial<Record<string, ColumnKind>>>

/** Nobody types it. Where a text has one all the same, there are more fields than there should be, and that is seen. */
const SEPARATOR = '\u001f'

/** Fields in their order: how PostgreSQL hands them over in one text, and how JSON is made of it. */
export type TextForm = {
  /** The SQL of a row of `record`, and of all its rows. */
  one: string
  all: string
  /** The JSON of so many records; null when a field holds the separator, so that none can be told from the next. */
  jsonOf: (text: string, count: number) => string | null
}

/**
 * All fields one after the other in one text. Having PostgreSQL write JSON takes it twice as long, and having it send a value
 * for each field costs the reader twice as much (docs/decisions/0004). An empty field is null: a text begins with a mark, and
 * nothing else is ever empty.
 */
export function textForm(names: readonly string[], kinds: ColumnKinds): TextForm {
  const fields = names.map((name) => {
    const kind = kinds[name]
    if (kind === undefined) return `'=' || record.${name}`
    return kind === 'texts' ? `array_to_json(record.${name})` : `record.${name}`
  })
  const one = `concat(${fields.join(`, '${SEPARATOR}', `)})`
  const keys = names.map((name, at) => `${at === 0 ? '{' : ','}"${name}":`)
  const write = names.map((name) => WRITERS[kinds[name] ?? 'text'])
  return {
    one,
    all: `coalesce(string_agg(${one}, '${SEPARATOR}'), '')`,
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped
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
