import type { ColumnType } from 'kysely'

/** Timestamps leave the database as ISO 8601 strings: building a Date for each cost more than the query. */
export type TimestampColumn = ColumnType<string, string | Date | undefined, string | Date>
export type NullableTimestamp = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
export type JsonColumn<T> = ColumnType<T, string, string>
