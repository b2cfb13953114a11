import assert from 'node:assert/strict'
import { describeEvent, type EventDetails, type Span } from '../../src/engine/claim/index.ts'
import type { DealRole, SignalId } from '../../src/engine/signals/index.ts'

type Told = { [Field in keyof EventDetails]?: EventDetails[Field] extends Span[] ? string[] : string | null }
type Row = [company: string, sentence: string, claim: string, details?: Told]

function mentionsOf(company: string, sentence: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (let at = sentence.indexOf(company); at >= 0; at = sentence.indexOf(company, at + company.length))
    found.push({ start: at, end: at + company.length })
  return found
}

export function describe(signal: SignalId, company: string, sentence: string) {
  return describeEvent({ signal, company, sentence, mentions: mentionsOf(company, sentence) })
}

function textOf(field: Span | Span[] | null): string | string[] | null {
  return Array.isArray(field) ? field.map(({ text }) => text) : (field?.text ?? null)
}

/** Each row: the claims about the company, with the details that the row lists. */
export function assertClaims(signal: SignalId, rows: Row[], role?: DealRole): void {
  for (const [company, sentence, claim, told = {}] of rows) {
    const event = describe(signal, company, sentence)
    assert.equal(event.claim, claim, sentence)
    if (role) assert.equal(event.role, role, sentence)
    for (const [field, expected] of Object.entries(told))
      assert.deepEqual(textOf(event.details[field as keyof EventDetails]), expected, `${field} of: ${sentence}`)
    for (const span of Object.values(event.details).flat())
      if (span) assert.equal(sentence.slice(span.start, span.end), span.text, 'a span is a place in the sentence')
  }
}
