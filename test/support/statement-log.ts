// Preloaded by run.ts: appends every distinct statement that a test process sends to PostgreSQL to a file.
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

export type LoggedStatement = { text: string; sentFrom: string }

const folder = process.env.TEST_STATEMENTS
if (folder) {
  mkdirSync(folder, { recursive: true })
  logStatements(join(folder, `${process.pid}.ndjson`))
}

function logStatements(file: string): void {
  const known = new Set<string>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    // A submittable has its text as a property; a cursor wraps a query.
    const text = typeof first === 'string' ? first : (first as { text?: string }).text
    if (text && !known.has(text)) {
      known.add(text)
      appendFileSync(file, `${JSON.stringify({ text, sentFrom: findSender() } satisfies LoggedStatement)}\n`)
    }
    return (query as (...given: unknown[]) => unknown).apply(this, given)
  } as typeof query
}

/** The first lines of the stack that are in the service, or in a test. */
function findSender(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  const places = [...stack.matchAll(/\/((?:src|test|sandbox|node_modules)\/[^):]+:\d+)/g)].map(
    ([, place = '']) => place,
  )
  const ours = places.filter(
    (place) =>
      !place.startsWith('node_modules/') && !/test\/support\/statement-log|src\/db\/(pool-query|client)\./.test(place),
  )
  return ours.slice(0, 3).join(' < ') || (places.find((place) => place.includes('pg-boss')) ?? '')
}
