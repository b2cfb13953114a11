import { editDistance } from '../english/edit-distance.ts'

/** The names most like a text by typing errors, or by how they begin; at most `most` of them, the nearest first. */
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

/** Words that begin alike are near whatever their ending: "bankers" and "banking". */
const BEGINNING = 4
