import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { findCompanyErasureScopes, findErasureScopes } from '../../people/erasure-scopes.ts'
import { readErasures } from '../../people/redact/erasures.ts'
import { redactInThread } from '../../people/redact/redact-in-thread.ts'

/** A company that texts are about. */
type DescribedCompany = { name: string; domain: string | null; account_id: string | null }

type Text = string | null

/** Erasures wait for the page; texts that are not searched by then are left out. */
const LIMIT_MS = 10_000

/**
 * Removes erased people from texts of a CRM about companies: by name those who were erased at the company, and by email, phone
 * and profile page all others. A text that could not be searched becomes null. Call it while the workspace is locked.
 */
export async function redactPulledTexts(
  parts: Pick<Deps, 'secrets' | 'parserPool'> & { db: Db },
  workspaceId: string,
  rows: { company: DescribedCompany | null; texts: Text[] }[],
): Promise<Text[][]> {
  const { erased } = await readErasures(parts, workspaceId, null)
  if (!erased) return rows.map(({ texts }) => texts)
  const accounts = await findErasureScopes(
    parts.db,
    workspaceId,
    rows.flatMap(({ company }) => company?.account_id ?? []),
  )
  const redacted = rows.map(({ texts }) => [...texts])
  const groups = new Map<string, { own: string[]; at: number[] }>()
  for (const [at, { company, texts }] of rows.entries()) {
    if (texts.every((text) => !text)) continue
    const named = company ? await findCompanyErasureScopes(parts.db, workspaceId, company) : []
    const known = accounts.get(company?.account_id ?? '')?.ids ?? []
    const own = [...new Set([...named, ...known])].sort()
    const group = groups.get(own.join()) ?? { own, at: [] }
    group.at.push(at)
    groups.set(own.join(), group)
  }
  const until = AbortSignal.timeout(LIMIT_MS)
  for (const { own, at: places } of groups.values()) {
    const items = places.map((at) => ({ source: null, texts: (rows[at]?.texts ?? []).map((text) => text ?? '') }))
    const options = { from: workspaceId, typed: true, until }
    const result = await redactInThread(parts, { ...erased, own }, 'texts', items, options)
    for (const [n, at] of places.entries()) {
      const found = result instanceof LimitExceeded ? [] : (result.items[n] ?? [])
      redacted[at] = (rows[at]?.texts ?? []).map((_, part) => found[part] || null)
    }
  }
  return redacted
}
