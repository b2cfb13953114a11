import { editDistance } from '../english/edit-distance.ts'

/** The names closest to a text by edit distance or by a common beginning, closest first, at most `most` of them. */
export function findSimilarNames(text: string, names: Iterable<string>, most = 3): string[] {
  const found: { name: string; off: number }[] = []
  for (const name of names) {
    const limit = Math.max(1, Math.floor(Math.min(text.length, name.length) / 4))
    const begins = text.length >= BEGINNING && name.slice(0, BEGINNING) === text.slice(0, BEGINNING)
    if (Math.abs(name.length - text.length) > (begins ? BEGINNING : limit)) continue
    const off = editDistance(text, name)
    if (off <= limit) found.push({ name, off })
    else if (begins) found.push({ name, off: off + BEGINNING })
  }
  return found
    .sort((a, b) => a.off - b.off || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Characters: words with this common beginning are similar whatever their ending, such as "bankers" and "banking". */
const BEGINNING = 4
