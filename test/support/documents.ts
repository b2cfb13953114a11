import type { Deps } from '../../src/deps/deps.ts'
import { readContext } from '../../src/research/context.ts'
import { detectAndRecord } from '../../src/research/detect-and-record.ts'

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
export const article = (url: string, title: string, text: string) => ({
  url,
  kind: 'article' as const,
  source: 'website',
  title,
  text,
  published_date: day(5),
  published_by: 'byline',
  language: 'en',
})

/** Processes documents about an account, as a scan does. */
export async function readAbout(
  deps: Deps,
  { workspaceId }: { workspaceId: string },
  accountId: string,
  company: { name: string; domain: string },
  documents: ReturnType<typeof article>[],
  along?: () => Promise<void>,
) {
  const context = await readContext(deps, workspaceId)
  const target = { workspace_id: workspaceId, account_id: accountId, run_id: null }
  return detectAndRecord(deps, context, target, company, documents, along ? { along } : {})
}
