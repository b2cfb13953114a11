import { documentPublication } from '../../engine/page/index.ts'
import { cutText } from '../../engine/text/storable.ts'
import type { FoundDocument, ProviderDeps } from '../types.ts'
import { fetchPage } from '../web/index.ts'

const TIMEOUTS = { headers: 10_000, body: 10_000, total: 15_000 }
const MAX_BYTES = 3 * 1024 * 1024
const MAX_TEXT_CHARS = 60_000

export type Article = Pick<FoundDocument, 'title' | 'text' | 'published_date' | 'published_by' | 'language'>

/** What the page of a story says, as far as its site lets it be read; null otherwise. */
export async function readArticle(deps: ProviderDeps, url: string): Promise<Article | null> {
  const seen = await fetchPage(deps, url, null, { timeouts: TIMEOUTS, maxBytes: MAX_BYTES })
  if (seen.outcome !== 'read' || seen.type !== 'page' || seen.page.text === '') return null
  const { title, text, language } = seen.page
  return { title, text: cutText(text, MAX_TEXT_CHARS), ...documentPublication(seen.page), language }
}
