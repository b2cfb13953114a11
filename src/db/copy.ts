import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'
import { withQueryTimeout } from './client.ts'

type Wire = pg.Connection & {
  stream: Socket
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
  sendCopyFail: (reason: string) => void
}

/**
 * Streams lines in COPY's text format to `COPY … FROM STDIN`: the server loads the first lines while the rest are produced.
 * Returns the number of rows loaded. It is one query in pg's queue; pg calls the handlers below for each message of the
 * server.
 */
export function copyFrom(client: pg.ClientBase, statement: string, lines: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let isOver = false
    let rows = 0
    const fail = (error: unknown) => {
      isOver = true
      reject(error)
    }
    const send = async (connection: Wire) => {
      try {
        for await (const chunk of lines) {
          if (isOver) return
          connection.sendCopyFromChunk(chunk)
          if (connection.stream.writableNeedDrain) await drained(connection.stream)
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
      handleCommandComplete({ text }: { text: string }) {
        rows = Number(text.split(' ')[1])
      },
      handleError: fail,
      handleReadyForQuery: () => resolve(rows),
    }
    client.query(query as unknown as pg.Submittable)
  })
}

/** Waits until the socket accepts more; also ends when it closes, which pg reports to the query as an error. */
async function drained(stream: Socket): Promise<void> {
  const waiting = new AbortController()
  try {
    await Promise.race(['drain', 'close'].map((event) => once(stream, event, waiting)))
  } finally {
    waiting.abort()
  }
}

/** Rows are collected up to this size, because an asynchronous step for each row would cost more than reading it. */
const BATCH_BYTES = 128 * 1024

export type CopiedRows = { rows: number; data: Buffer }

/**
 * Streams the rows of `COPY … TO STDOUT` in batches. While a batch is consumed, at most one more is read: then the socket is
 * paused, and the server waits. `limitMs` is the query timeout, which includes the time of the consumer.
 */
export async function* copyTo(client: pg.ClientBase, statement: string, limitMs?: number): AsyncGenerator<CopiedRows> {
  const ready: CopiedRows[] = []
  let batch = { rows: 0, size: 0, parts: [] as Buffer[] }
  let failure: unknown = null
  let isOver = false
  let wire: Wire | null = null
  let wake = () => {}
  const flushBatch = () => {
    if (batch.rows > 0) ready.push({ rows: batch.rows, data: Buffer.concat(batch.parts, batch.size) })
    batch = { rows: 0, size: 0, parts: [] }
    wake()
  }
  const query = {
    submit(connection: Wire) {
      wire = connection
      connection.query(statement)
    },
    handleCopyData({ chunk }: { chunk: Buffer }, connection: Wire) {
      // A copy, because pg's parser reuses its buffer.
      batch.parts.push(Buffer.from(chunk))
      batch.size += chunk.length
      batch.rows++
      if (batch.size < BATCH_BYTES) return
      flushBatch()
      if (ready.length > 1) connection.stream.pause()
    },
    handleCommandComplete() {},
    handleError(error: unknown) {
      failure = error
      isOver = true
      wake()
    },
    handleReadyForQuery() {
      isOver = true
      flushBatch()
    },
  }
  const send = () => client.query(query as unknown as pg.Submittable)
  // Around the call alone: a generator runs in the context of its consumer.
  if (limitMs === undefined) send()
  else withQueryTimeout(limitMs, send)
  for (;;) {
    const next = ready.shift()
    if (next) {
      yield next
      continue
    }
    if (failure) throw failure
    if (isOver) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const connection = wire as Wire | null
    if (connection?.stream.isPaused()) connection.stream.resume()
    await promise
  }
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
