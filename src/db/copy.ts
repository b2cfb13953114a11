import type pg from 'pg'

type Wire = pg.Connection & {
  stream: { write: (data: Buffer) => boolean; once: (event: 'drain', listener: () => void) => void }
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
  sendCopyFail: (reason: string) => void
}

/**
 * Sends `data`, lines in COPY's text format, to `COPY … FROM STDIN` on a connection. It is one query in pg's own queue: pg
 * calls the handlers below as the server answers.
 */
export function copyFrom(client: pg.ClientBase, statement: string, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = {
      submit: (connection: Wire) => connection.query(statement),
      handleCopyInResponse(connection: Wire) {
        connection.sendCopyFromChunk(data)
        connection.endCopyFrom()
      },
      handleCommandComplete() {},
      handleError: reject,
      handleReadyForQuery: () => resolve(),
    }
    client.query(query as unknown as pg.Submittable)
  })
}

const SPECIAL = /[\\\n\r\t\0]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '' }

/** One line of COPY's text format. PostgreSQL stores no NUL: it is left out. */
export function copyLine(values: readonly (string | number | null)[]): string {
  let line = ''
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (at > 0) line += '\t'
    if (value === null || value === undefined) line += '\\N'
    else if (typeof value === 'number') line += value
    else line += SPECIAL.test(value) ? value.replaceAll(/[\\\n\r\t\0]/g, (char) => ESCAPES[char] as string) : value
  }
  return `${line}\n`
}
