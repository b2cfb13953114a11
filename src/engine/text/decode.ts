/** The text of a body, in the charset its type names. */
export function decodeText(body: Uint8Array, contentType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1]
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    // A charset nobody knows.
    return new TextDecoder().decode(body)
  }
}

/** A text with its escapes decoded; as it is where a stray percent sign is none. */
export function decodePercentEncoding(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
