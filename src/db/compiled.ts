import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './connect.ts'

/**
 * A query of a hot path, built and compiled once: Kysely takes as long for that as PostgreSQL for its answer. `build` is
 * called with stand-ins for the values, so it may hand them on and not look at them.
 */
export function compiledOnce<V extends unknown[], R>(build: (db: Db, ...values: V) => Compilable<R>) {
  let known: { query: CompiledQuery<R>; values: ((given: V) => unknown)[] } | undefined
  return async (db: Db, ...given: V): Promise<R[]> => {
    known ??= compile(db, build, given.length)
    const parameters = known.values.map((value) => value(given))
    const { rows } = await db.executeQuery<R>({ ...known.query, parameters })
    return rows
  }
}

function compile<V extends unknown[], R>(db: Db, build: (db: Db, ...values: V) => Compilable<R>, count: number) {
  const standIns = Array.from({ length: count }, (_, at) => ({ at }))
  const query = build(db, ...(standIns as unknown as V)).compile()
  const values = query.parameters.map((parameter) => {
    const at = standIns.indexOf(parameter as { at: number })
    return at < 0 ? () => parameter : (given: V) => given[at]
  })
  return { query, values }
}
