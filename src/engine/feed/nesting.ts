const MAX_DEPTH = 200
/** The XML parser is slow on tags and attributes; a long podcast feed has half as many. */
const MAX_TAGS = 200_000
const MAX_ATTRIBUTES = 100_000

/**
 * The XML and JSON parsers recurse; real feeds are a dozen levels deep. An unclosed tag or CDATA section, or too many tags or
 * attributes, count as too deep.
 */
export function nestsTooDeep(text: string): boolean {
  let depth = 0
  if (text.startsWith('{') || text.startsWith('[')) {
    for (let i = 0; i < text.length; i++) {
      const char = text[i]
      if (char === '{' || char === '[') depth++
      else if (char === '}' || char === ']') depth--
      if (depth > MAX_DEPTH) return true
    }
    return false
  }
  let tags = 0
  let attributes = 0
  let equals = text.indexOf('=')
  let end = -1
  for (let i = text.indexOf('<'); i >= 0; i = text.indexOf('<', i + 1)) {
    const next = text[i + 1]
    if (text.startsWith('<![CDATA[', i)) {
      // Markup inside CDATA is text; an unclosed section makes the rest of the file text.
      i = text.indexOf(']]>', i)
      if (i < 0) return true
      continue
    }
    if (next === '/') {
      depth--
      continue
    }
    if (++tags > MAX_TAGS) return true
    if (next === '!' || next === '?') continue
    if (end < i) end = text.indexOf('>', i)
    if (end < 0) return true
    if (equals >= 0 && equals < i) equals = text.indexOf('=', i)
    for (; equals >= 0 && equals < end; equals = text.indexOf('=', equals + 1)) attributes++
    if (text[end - 1] !== '/') depth++
    if (depth > MAX_DEPTH || attributes > MAX_ATTRIBUTES) return true
  }
  return false
}
