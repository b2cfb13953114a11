/**
 * Arrays as PostgreSQL reads them, for statements that write hundreds of rows: pg would look at each value again to find out
 * what it is.
 */

/** Of numbers, ids, digests and such: values without quotes, commas, braces and backslashes. */
export function plainArray(values: readonly (string | number | null)[]): string {
  let text = '{'
  for (let at = 0; at < values.length; at++) text += at > 0 ? `,${values[at]}` : values[at]
  return `${text}}`
}

/** Of any texts; null when all of them are. */
export function textArray(values: readonly (string | null)[]): string | null {
  let text = '{'
  let isEmpty = true
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (at > 0) text += ','
    if (value === null || value === undefined) text += 'NULL'
    else {
      isEmpty = false
      text += `"${value.replaceAll(/["\\]/g, '\\$&')}"`
    }
  }
  return isEmpty ? null : `${text}}`
}
