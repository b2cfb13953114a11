import { cutText } from '../../engine/storable.ts'
import type { ProviderDeps } from '../types.ts'
import { fetchPage } from '../web/index.ts'

const TIMEOUTS = { headers: 10_000, body: 10_000, total: 15_000 }
const MAX_BYTES = 3 * 1024 * 1024
const MAX_TEXT_CHARS = 60_000

/** What the page of a story says, as far as its site lets it be read; null otherwise. */
export async function readArticle(
  deps: ProviderDeps,
  url: string,
): Promise<{ text: string; published_date: string | null } | null> {
  const seen = await fetchPage(deps, url, null, { timeouts: TIMEOUTS, maxBytes: MAX_BYTES })
  if (seen.outcome !== 'read' || seen.type !== 'page' || seen.page.text === '') return null
  return { text: cutText(seen.page.text, MAX_TEXT_CHARS), published_date: seen.page.published_date }
}
