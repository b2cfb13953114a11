import { absoluteUrl } from './addresses.ts'
import { firstString, type JsonObject } from './json-ld.ts'

/** An open position that the page describes in its structured data. */
export type Opening = {
  title: string
  department: string | null
  url: string | null
  published_date: string | null
  /** The last day it is open. */
  valid_through: string | null
}

const MAX_OPENINGS = 500

/** Positions the page marks up as `JobPosting`, each once. */
export function findOpenings(objects: readonly { types: string[]; object: JsonObject }[], pageUrl: string): Opening[] {
  const found = new Map<string, Opening>()
  for (const { types, object } of objects) {
    const title = types.includes('JobPosting') ? firstString(object.title ?? object.name) : null
    if (!title || found.size >= MAX_OPENINGS) continue
    const address = firstString(object.url)
    const opening: Opening = {
      title: title.slice(0, 200),
      department: firstString(object.department ?? object.occupationalCategory)?.slice(0, 100) ?? null,
      url: address ? absoluteUrl(address, pageUrl) : null,
      published_date: dayOf(object.datePosted),
      valid_through: dayOf(object.validThrough),
    }
    found.set(`${opening.title}\n${opening.url ?? found.size}`, opening)
  }
  return [...found.values()]
}

function dayOf(value: unknown): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(firstString(value) ?? '')?.[0] ?? null
}
