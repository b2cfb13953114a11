// Signals described in words, with sentences that report them, nearly report them, or report something else:
// {"id", "name", "description", "wordings", "yes": [[company, sentence], …], "near": […], "no": […]}.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Classifier } from '../src/engine/classifier/index.ts'
import { findCompanyMentions } from '../src/engine/companies/company-names.ts'
import { parseDocument } from '../src/engine/detect/document.ts'

type Pair = [company: string, sentence: string]
export type DescribedSignal = {
  id: string
  name: string
  description: string
  wordings: string[]
  yes: Pair[]
  near: Pair[]
  no: Pair[]
}

export type DescribedSentence = {
  signal: DescribedSignal
  company: string
  sentence: string
  kind: 'yes' | 'near' | 'no'
  told: boolean
  logit: number
  confidence: number
}

export function readDescribed(path: string): DescribedSignal[] {
  const content = readFileSync(path)
  const lines = (path.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as DescribedSignal)
}

/** Signals held out from training, among those written for training. */
export function isValidation(id: string): boolean {
  return '012'.includes(createHash('sha256').update(id).digest('hex')[0] as string)
}

/** The score of every sentence, classified alone. `part`: those kept for calibration, or all. */
export async function describedSentences(
  classifier: Classifier,
  path: string,
  part: 'validation' | 'all',
): Promise<DescribedSentence[]> {
  const out: DescribedSentence[] = []
  for (const signal of readDescribed(path)) {
    if (part === 'validation' && !isValidation(signal.id)) continue
    for (const kind of ['yes', 'near', 'no'] as const) {
      for (const [company, sentence] of signal[kind]) {
        const document = parseDocument('', sentence)
        const { mentions } = findCompanyMentions(document.tokens, document.lower, { name: company }, 0)
        const question = { document, mentions, builtins: false, descriptions: [signal.description] }
        const [judgement] = await classifier.judge([question])
        const verdict = judgement?.described[0]?.toSorted((a, b) => b.logit - a.logit)[0]
        if (!verdict) continue
        const { confidence, logit } = verdict
        out.push({ signal, company, sentence, kind, told: kind === 'yes', logit, confidence })
      }
    }
  }
  return out
}
