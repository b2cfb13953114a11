/** Decodes a response body with the charset that its content type names, or as UTF-8. */
export function decodeText(body: Uint8Array, contentType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1]
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    // TextDecoder throws on a charset it does not support.
    return new TextDecoder().decode(body)
  }
}

/** Like decodeURIComponent, but returns the text unchanged when it contains a malformed escape. */
export function decodePercentEncoding(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
