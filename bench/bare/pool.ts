import pg from 'pg'

/** The pool of a bare handler, separate from bench/measure.ts so that it loads only pg. Timestamps stay as PostgreSQL writes them. */
export function barePool(connection: pg.PoolConfig): pg.Pool {
  const { TIMESTAMPTZ } = pg.types.builtins
  const getTypeParser = (oid: number) => (oid === TIMESTAMPTZ ? String : pg.types.getTypeParser(oid))
  return new pg.Pool({ ...connection, max: 10, types: { getTypeParser: getTypeParser as never } })
}
