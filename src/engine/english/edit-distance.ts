/** The Damerau-Levenshtein distance: insertions, deletions, substitutions and transpositions of adjacent letters. */
export function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const shifted = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] as number) + 1 : Infinity
      row.push(Math.min(changed, shifted, swapped))
    }
    before = last
    last = row
  }
  return last[b.length] as number
}
