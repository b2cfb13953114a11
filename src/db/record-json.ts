/** SQL expression for a row of `record` as JSON, whose timestamps `writeTimestamps` completes. */
export const RECORD_AS_JSON = 'row_to_json(record)::text'

const ZONE = '+00:00"'
/** What PostgreSQL has left out of the milliseconds, by the length of a timestamp with its opening quote. */
const LEFT_OUT: Record<number, string> = { 20: '.000', 22: '00', 23: '0', 24: '' }

/**
 * Timestamps as everywhere in the API: milliseconds, then Z. Letting PostgreSQL format them so took a quarter of the
 * query, and a regular expression three times as long as this. A quote inside a value is escaped, so only keys match.
 */
export function writeTimestamps(json: string): string {
  let text = ''
  let from = 0
  for (let at = json.indexOf(ZONE); at >= 0; at = json.indexOf(ZONE, at + 1)) {
    const quote = json.lastIndexOf('"', at)
    const rest = json.startsWith('_at":', quote - 5) ? LEFT_OUT[at - quote] : undefined
    if (rest === undefined) continue
    text += `${json.slice(from, at)}${rest}Z"`
    from = at + ZONE.length
  }
  return text + json.slice(from)
}
