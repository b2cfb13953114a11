/** The names most like a text by typing errors, or by how they begin; at most `most` of them, the nearest first. */
export function nearest(text: string, names: Iterable<string>, most = 3): string[] {
  const found: { name: string; off: number }[] = []
  for (const name of names) {
    const limit = Math.max(1, Math.floor(Math.min(text.length, name.length) / 4))
    const begins = text.length >= BEGINNING && name.slice(0, BEGINNING) === text.slice(0, BEGINNING)
    if (Math.abs(name.length - text.length) > (begins ? BEGINNING : limit)) continue
    const off = typingDistance(text, name)
    if (off <= limit) found.push({ name, off })
    else if (begins) found.push({ name, off: off + BEGINNING })
  }
  return found
    .sort((a, b) => a.off - b.off || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Words that begin alike are near whatever their ending: "bankers" and "banking". */
const BEGINNING = 4

/** How many letters must be added, dropped, changed or swapped with the next. */
export function typingDistance(a: string, b: string): number {
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
