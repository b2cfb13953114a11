import type { ColumnType } from 'kysely'

/** Timestamps are read as ISO 8601 strings: creating a Date for each cost more than the query. */
export type TimestampColumn = ColumnType<string, string | Date | undefined, string | Date>
export type NullableTimestamp = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
export type JsonColumn<T> = ColumnType<T, string, string>

/** `2026-11-15 01:26:23.12+00` to `2026-11-15T01:26:23.120Z`. PostgreSQL omits trailing zeros. */
export function isoTimestamp(value: string): string {
  const isUsual = value.endsWith('+00') && value[19] === '.' && value.length < 27
  if (!isUsual) return new Date(value).toISOString()
  return `${value.slice(0, 10)}T${value.slice(11, -3).padEnd(12, '0')}Z`
}
