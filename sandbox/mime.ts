type Part = { headers: Record<string, string>; body: string }

export type ParsedMail = { headers: Record<string, string>; text: string | null; html: string | null }

/** Parses a message of a sender that is under test (RFC 5322, 2045, 2047): its headers, and its text and HTML part. */
export function parseMime(raw: string): ParsedMail {
  const { headers, body } = parsePart(raw)
  const parts = leavesOf({ headers, body })
  const content = (type: string) => {
    const found = parts.find(({ headers }) => (headers['content-type'] ?? 'text/plain').startsWith(type))
    return found ? decodeBody(found) : null
  }
  const decoded = Object.entries(headers).map(([name, value]) => [name, decodeWords(value)])
  return { headers: Object.fromEntries(decoded), text: content('text/plain'), html: content('text/html') }
}

function parsePart(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const lines = (end < 0 ? raw : raw.slice(0, end)).replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    // A repeated header is visible, because it may be an injected one.
    headers[name] = name in headers ? `${headers[name]}\n${value}` : value
  }
  return { headers, body: end < 0 ? '' : raw.slice(end + 4) }
}

function leavesOf(part: Part): Part[] {
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(part.headers['content-type'] ?? '')?.[1]
  if (!boundary) return [part]
  return `\r\n${part.body}`
    .split(`\r\n--${boundary}`)
    .slice(1, -1)
    .flatMap((text) => leavesOf(parsePart(text.replace(/^\r\n/, ''))))
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding === 'quoted-printable') return fromQuotedPrintable(body.replaceAll(/=\r\n/g, ''))
  return Buffer.from(body, 'latin1').toString('utf8')
}

function fromQuotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Decodes encoded words; white space between two of them is not part of the text. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/(\?=)\s+(=\?)/g, '$1$2')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : fromQuotedPrintable(text.replaceAll('_', ' ')),
    )
}
