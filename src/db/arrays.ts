/**
 * PostgreSQL array literals for statements that write hundreds of rows. Faster than passing a JavaScript array, for which
 * pg checks the type of every value.
 */

/** An array of numbers, ids or digests: values without quotes, commas, braces and backslashes. */
export function toArrayLiteral(values: readonly (string | number | null)[]): string {
  let text = '{'
  for (let at = 0; at < values.length; at++) text += at > 0 ? `,${values[at]}` : values[at]
  return `${text}}`
}

/** An array of arbitrary texts; null when all values are null. */
export function toTextArrayLiteral(values: readonly (string | null)[]): string | null {
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
