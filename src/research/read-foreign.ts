import { daysBefore } from '../days.ts'
import { storable } from '../engine/storable.ts'
import { readForeignText } from '../providers/llm/foreign.ts'
import { type CompanyRef, forProviders, type ProviderParts } from '../providers/types.ts'
import type { Finding, Foreign, Readable, WantedSignal } from './find-signals.ts'

type Untold = { document: Readable; language: string }
type Options = { today: string; windowDays: number | null; signal?: AbortSignal | undefined }

/** Each costs a call of the model. */
const MOST_READ = 12
/** The model says yes or no; how sure it is nobody has measured. */
const CONFIDENCE = 0.7

/**
 * Texts in other languages, read by the language model where one is configured. What it did not read is told, by its language: it may
 * tell of anything.
 */
export async function readForeign(
  parts: ProviderParts,
  company: CompanyRef,
  untold: readonly Untold[],
  signals: readonly WantedSignal[],
  { today, windowDays, signal = new AbortController().signal }: Options,
): Promise<{ findings: Finding[]; foreign: Foreign[] }> {
  const findings: Finding[] = []
  const foreign: Foreign[] = []
  const since = windowDays === null ? '' : daysBefore(today, windowDays)
  let asked = 0
  for (const { document, language } of untold) {
    const date = document.published_date ?? (document.fresh ? today : null)
    // What is too old, or says nowhere when it was written, proves nothing in any language.
    const counts = date !== null && date >= since && date <= today
    const read =
      counts && asked++ < MOST_READ
        ? await readForeignText(forProviders(parts, signal), company, document, signals)
        : ({ outcome: 'nothing' } as const)
    if (read.outcome !== 'answer') {
      if (read.outcome === 'failed') parts.log.warn({ reason: read.reason, url: document.url }, 'a text was not read')
      foreign.push({ url: document.url, language })
      continue
    }
    for (const { signal_id, quote, claim } of read.value) {
      findings.push({
        signal_id,
        confidence: CONFIDENCE,
        claim: storable(claim),
        quote,
        details: null,
        judged_by: `language model ${parts.config.LLM_MODEL}`,
        source_url: document.url,
        published_date: document.published_date,
        date: date as string,
        context: `${document.title ?? ''}\n${document.text.slice(0, 2_000)}`,
      })
    }
  }
  return { findings, foreign }
}
