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
