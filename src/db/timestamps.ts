/** `2026-11-15 01:26:23.12+00` to `2026-11-15T01:26:23.120Z`. PostgreSQL leaves zeros out. */
export function isoTimestamp(value: string): string {
  const isUsual = value.endsWith('+00') && value[19] === '.' && value.length < 27
  if (!isUsual) return new Date(value).toISOString()
  return `${value.slice(0, 10)}T${value.slice(11, -3).padEnd(12, '0')}Z`
}
