import type pg from 'pg'

type Wire = pg.Connection & {
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
  sendCopyFail: (reason: string) => void
}

/**
 * Streams lines in COPY's text format to `COPY … FROM STDIN`: the server loads the first lines while the rest are produced.
 * There is no backpressure, so the data should fit into memory. It is one query in pg's queue; pg calls the handlers below
 * for each message of the server.
 */
export function copyFrom(client: pg.ClientBase, statement: string, lines: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false
    const fail = (error: unknown) => {
      isOver = true
      reject(error)
    }
    const send = async (connection: Wire) => {
      try {
        for await (const chunk of lines) {
          if (isOver) return
          connection.sendCopyFromChunk(chunk)
        }
        connection.endCopyFrom()
      } catch (error) {
        // Rejects with this error; the error that the server returns only repeats the CopyFail message.
        fail(error)
        connection.sendCopyFail('the rows could not be produced')
      }
    }
    const query = {
      submit: (connection: Wire) => connection.query(statement),
      handleCopyInResponse: (connection: Wire) => void send(connection),
      handleCommandComplete() {},
      handleError: fail,
      handleReadyForQuery: () => resolve(),
    }
    client.query(query as unknown as pg.Submittable)
  })
}

const SPECIAL = /[\\\n\r\t\0]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '' }

/** One line of COPY's text format. NUL characters, which PostgreSQL cannot store, are removed. */
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
