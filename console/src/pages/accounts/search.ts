/** What the address of this page holds beside its path. */
export function readSearch(_raw: Record<string, unknown>) {
  return {}
}
