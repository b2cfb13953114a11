import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './connect.ts'
import { RECORD_AS_JSON, writeTimestamps } from './record-json.ts'

/** Called with placeholders instead of values, so it must pass them to the query and not inspect them. */
type Build<V extends unknown[], R> = (db: Db, ...values: V) => Compilable<R>

/** A query of a hot path, built and compiled once: compilation in Kysely takes as long as the query in PostgreSQL. */
export function compileOnce<V extends unknown[], R>(build: Build<V, R>) {
  const run = compiled(build, (sql) => sql)
  return async (db: Db, ...given: V): Promise<R[]> => (await run(db, given)).rows
}

/** The same for one record as JSON text, which PostgreSQL writes; null when there is no record. */
export function compileJsonQuery<V extends unknown[], R>(build: Build<V, R>) {
  const run = compiled<V, { data: string }>(
    build as never,
    (sql) => `select ${RECORD_AS_JSON} as data from (${sql}) as record`,
  )
  return async (db: Db, ...given: V): Promise<string | null> => {
    const [found] = (await run(db, given)).rows
    return found ? writeTimestamps(found.data) : null
  }
}

function compiled<V extends unknown[], R>(build: Build<V, R>, write: (sql: string) => string) {
  let known: { query: CompiledQuery<R>; values: ((given: V) => unknown)[] } | undefined
  return (db: Db, given: V) => {
    known ??= compile(db, build, write, given.length)
    const parameters = known.values.map((value) => value(given))
    return db.executeQuery<R>({ ...known.query, parameters })
  }
}

function compile<V extends unknown[], R>(db: Db, build: Build<V, R>, write: (sql: string) => string, count: number) {
  const placeholders = Array.from({ length: count }, (_, at) => ({ at }))
  const query = build(db, ...(placeholders as unknown as V)).compile()
  const values = query.parameters.map((parameter) => {
    const at = placeholders.indexOf(parameter as { at: number })
    return at < 0 ? () => parameter : (given: V) => given[at]
  })
  return { query: { ...query, sql: write(query.sql) }, values }
}
