import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { CustomMatcher } from '../../engine/detect/custom-signal.ts'
import { detect } from '../../engine/detect/index.ts'
import { previewOnText } from '../../engine/detect/preview.ts'
import type { Viewer } from '../../member.ts'
import { listNewestDocuments } from '../../research/document-store.ts'
import { judgementsOf } from '../../research/judgement-store.ts'
import { readDescription } from './describe.ts'
import type { Preview, PreviewSignal } from './schema.ts'

/** So many documents are looked through while somebody waits. */
const DOCUMENTS = 40

/** Tries a description on a text or, without one, on what was read last about accounts that are the viewer's to research. Nothing is stored. */
export async function previewSignal(
  deps: Pick<Deps, 'db' | 'reader'>,
  viewer: Viewer,
  { description, company, title = '', text }: PreviewSignal,
): Promise<Static<typeof Preview>> {
  const matcher = readDescription('preview', description)
  if (text === undefined) return previewOnDocuments(deps, viewer, matcher)
  const { judged_by, matches } = await previewOnText(deps.reader, matcher, { title, text, company: company ?? null })
  return { judged_by, matches, documents: null, findings: [] }
}

async function previewOnDocuments(
  { db, reader }: Pick<Deps, 'db' | 'reader'>,
  viewer: Viewer,
  matcher: CustomMatcher,
): Promise<Static<typeof Preview>> {
  const documents = await listNewestDocuments(db, viewer, DOCUMENTS)
  const inputs = documents.map(({ url, title, text, published_date, account_name, domain }) => ({
    id: url,
    company: { name: account_name, domain },
    title,
    text,
    url,
    published_at: published_date,
  }))
  const memory = judgementsOf(db, viewer.workspace_id)
  const results = await detect(inputs, { reader, memory, builtins: false, customSignals: [matcher] })
  const findings = results.flatMap(({ detections }, i) => {
    const { account_id, account_name } = documents[i] as (typeof documents)[number]
    return detections
      .filter(({ signal_id }) => signal_id === matcher.signal_id)
      .map(({ sentence, confidence, source_url, published_date }) => ({
        account_id,
        account_name,
        sentence,
        confidence,
        source_url: source_url ?? null,
        published_date: published_date ?? null,
      }))
  })
  findings.sort((a, b) => b.confidence - a.confidence)
  const judged_by = results[0]?.judged_by ?? null
  return { judged_by, matches: [], documents: documents.length, findings }
}
