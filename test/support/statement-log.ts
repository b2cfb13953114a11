// Preloaded by run.ts: appends every distinct statement that a test process sends to PostgreSQL to a file.
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

export type LoggedStatement = { text: string; sentFrom: string }

type Query = (this: pg.Client, ...given: unknown[]) => unknown
type Connect = (this: pg.Pool, callback?: (...given: unknown[]) => void) => unknown

const folder = process.env.TEST_STATEMENTS
if (folder) {
  mkdirSync(folder, { recursive: true })
  logStatements(join(folder, `${process.pid}.ndjson`))
}

function logStatements(file: string): void {
  /** Statements that the service sent, and those that only a test has sent yet. */
  const [ours, ofTests] = [new Set<string>(), new Set<string>()]
  /** Where the pool was asked for the connection: the query is sent later, from an event. */
  let asked: Error | null = null

  const query = pg.Client.prototype.query as Query
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    // A submittable, such as a cursor, has its text as a property.
    const text = typeof first === 'string' ? first : (first as { text?: string }).text
    if (text && !ours.has(text)) {
      const sentFrom = placesOf(capture()) || placesOf(asked)
      const isOurs = !/^test\/|\.test\.ts/.test(sentFrom.split(' < ')[0] as string)
      const known = isOurs ? ours : ofTests
      if (!known.has(text)) appendFileSync(file, `${JSON.stringify({ text, sentFrom } satisfies LoggedStatement)}\n`)
      known.add(text)
    }
    return query.apply(this, given)
  } as typeof pg.Client.prototype.query

  const connect = pg.Pool.prototype.connect as unknown as Connect
  pg.Pool.prototype.connect = function (this: pg.Pool, callback?: (...given: unknown[]) => void) {
    if (!callback) return connect.call(this)
    const from = capture()
    return connect.call(this, (...given) => {
      asked = from
      callback(...given)
      asked = null
    })
  } as typeof pg.Pool.prototype.connect
}

/** The stack is formatted only when it is read. */
function capture(): Error {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const error = new Error()
  Error.stackTraceLimit = limit
  return error
}

/** The first lines of a stack that are in the service or in a test. */
function placesOf(error: Error | null): string {
  const places = [...(error?.stack ?? '').matchAll(/\/((?:src|test|sandbox)\/[^):]+:\d+)/g)].map(
    ([, place]) => place as string,
  )
  return places
    .filter((place) => !/test\/support\/statement-log|src\/db\/(?:pool-query|client|compiled)\./.test(place))
    .slice(0, 3)
    .join(' < ')
}
