// Chooses the sentences about the sender: one with the offer from the knowledge base, and proofs from the company profile and the
// knowledge base. Sentences are chosen, not written: only fragments get a subject or a verb, so that they read as sentences.
import { type BuyingDepartment, DEPARTMENT_MENTIONS, DEPARTMENT_TOPICS } from '../playbook/departments.ts'
import { BUILTIN_SIGNALS, findBuiltinSignal } from '../signals/index.ts'
import type { EventSummary } from './event.ts'
import { type KnowledgeSection, PITCH_TYPES, prepareSections, wordStems } from './sections.ts'
import { toSentence } from './statements.ts'

/** A result of a customer, from the company profile. */
export type CustomerProof = {
  customer: string
  result: string
  industry: string | null
  min_employees: number | null
  max_employees: number | null
}

/** What the company that sells says about itself. */
export type Seller = { name: string | null; products: readonly string[]; proofs: readonly CustomerProof[] }

export type Offer = {
  pitch: string | null
  /** Whether the pitch speaks about such events, or only introduces the sender. */
  is_specific: boolean
  /** Whether the pitch speaks to the reader's department. */
  is_for_reader: boolean
  more: string | null
  /** Those that fit best first. */
  proofs: readonly string[]
}

type Reader = {
  industry?: string | null | undefined
  employees?: number | null | undefined
  department: BuyingDepartment
}

/** Candidates this close to the best one are equivalent; the seed chooses between them. */
const TIE = 0.6
const MAX_PROOFS = 4

/** The sentences that fit the event and the reader's company best, each complete on its own. */
export function chooseOffer(
  sections: readonly KnowledgeSection[],
  { angle, kind }: Pick<EventSummary, 'angle' | 'kind'>,
  event: string,
  { name, products, proofs: results }: Seller,
  reader: Reader,
  order: (text: string) => number,
): Offer {
  const company = name ?? undefined
  const { pitches, proofs, followers } = prepareSections(sections, company)
  const wanted = wordStems(event)
  const words = findBuiltinSignal(angle ?? '')?.draft
  const isNear = (text: string) => words?.near.test(text) === true
  const isAstray = (text: string) =>
    !words?.about?.test(text) && BUILTIN_SIGNALS.some(({ id, draft }) => id !== angle && draft.about?.test(text))
  const isForReader = (text: string) => DEPARTMENT_TOPICS[reader.department].test(text)
  const isForOthers = (text: string) =>
    !DEPARTMENT_MENTIONS[reader.department].test(text) &&
    Object.values(DEPARTMENT_MENTIONS).some((one) => one.test(text))
  const fits = ({ text, stems }: { text: string; stems: ReadonlySet<string> }) =>
    stems.intersection(wanted).size +
    (isNear(text) ? 1.5 : 0) +
    // A sentence that names the situation says more than one that names the reader's work.
    (words?.about?.test(text) ? 3 : 0) +
    (isForReader(text) ? 1.5 : 0) -
    (isAstray(text) ? 4 : 0) -
    (isForOthers(text) ? 4 : 0) +
    (/\b(?:we|our|us)\b/i.test(text) || [company, ...products].some((own) => own && text.includes(own)) ? 0.5 : 0)
  const isSpecific = (text: string) => isNear(text) && !isAstray(text)
  const [pitch = null] = rank(
    pitches
      // With hard news only an introduction or an offer that helps with the event is appropriate.
      .filter(({ text, type }) => kind !== 'hardship' || type === 'overview' || isSpecific(text))
      .map((one) => ({
        text: one.text,
        // A sentence that fits neither the event nor the reader must not win over the introduction of the company.
        score:
          fits(one) +
          (isSpecific(one.text) || isForReader(one.text) || one.type === 'overview'
            ? (PITCH_TYPES.length - one.rank) * 0.5
            : -3) -
          (one.isProof ? 2 : 0),
      })),
    order,
  )
  const near = wordStems(`${event} ${pitch ?? ''}`)
  // A proof of another matter convinces less than one of another industry.
  const fitsPitch = (text: string) =>
    Math.min(3, wordStems(text).intersection(near).size) * 1.5 +
    (isNear(text) ? 2 : 0) +
    (isForReader(text) ? 1 : 0) -
    (isAstray(text) ? 5 : 0)
  const named = new Set(results.map(({ customer }) => customer))
  const ranked = rank(
    [
      ...results.map((result) => ({
        text: toProof(result, name, order),
        score: 3 + fitsReader(result, reader) + fitsPitch(result.result),
      })),
      ...proofs
        .filter(({ source, text }) => source !== pitch && ![...named].some((customer) => text.includes(customer)))
        .map((one) => ({ text: withLead(one.text, order), score: one.score + fits(one) + fitsPitch(one.text) })),
    ],
    order,
  )
  // Without a proof, the sentence after the offer is added.
  const second = ranked.length === 0 && kind !== 'hardship' && pitch !== null ? (followers.get(pitch) ?? null) : null
  const [product] = products
  const introduction = name && product ? `I work at ${name}, the company behind ${product}.` : null
  return {
    pitch: pitch ? toSentence(pitch, company, 'What you get') : introduction,
    is_specific: pitch !== null && isSpecific(pitch) && isForReader(pitch),
    is_for_reader: pitch === null || isForReader(pitch),
    more: second && !isAstray(second) ? second : null,
    proofs: ranked.slice(0, MAX_PROOFS),
  }
}

/** Whether a customer is comparable with the reader's company. */
function fitsReader({ industry, min_employees, max_employees }: CustomerProof, reader: Reader): number {
  const own = industryWords(reader.industry ?? '')
  const isSame = industry !== null && industryWords(industry).intersection(own).size > 0
  const isOther = industry !== null && own.size > 0 && !isSame
  const { employees } = reader
  const hasRange = min_employees !== null || max_employees !== null
  const isWithin = employees != null && employees >= (min_employees ?? 0) && employees <= (max_employees ?? Infinity)
  return (isSame ? 2 : isOther ? -1 : 0) + (!hasRange || employees == null ? 0 : isWithin ? 0.5 : -0.5)
}

/** "Food" and "Foods & Beverages" have a word in common. */
const industryWords = (industry: string) =>
  new Set(
    (industry.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
      .filter((word) => word !== 'and')
      .map((word) => word.replace(/s$/, '').slice(0, 7)),
  )

function toProof({ customer, result }: CustomerProof, company: string | null, order: (text: string) => number): string {
  const what = result.trim().replace(/[.!]+$/, '')
  const statement = what.startsWith(customer) ? what : `${customer} ${what.charAt(0).toLowerCase()}${what.slice(1)}`
  const isAttributed = /\b(?:us|our|we)\b/i.test(what) || (company !== null && what.includes(company))
  const rest = statement.slice(customer.length)
  const wordings = isAttributed
    ? [`${statement}.`, `One of our customers, ${customer},${rest}.`]
    : [
        // After a long result, "with us" would seem to belong to its last words.
        ...(what.split(' ').length <= 7 ? [`${statement} with us.`] : []),
        `With our help, ${statement}.`,
        `One of our customers, ${customer},${rest}.`,
        ...(company ? [`With ${company}, ${statement}.`] : []),
      ]
  return wordings[order(`proof ${customer}`) % wordings.length] as string
}

/** A sentence that begins with a name can follow an introduction. */
function withLead(sentence: string, order: (text: string) => number): string {
  if (!/^\p{Lu}\p{L}+ \p{Lu}/u.test(sentence)) return sentence
  const wordings = [
    sentence,
    `For example, ${sentence}`,
    `One example: ${sentence}`,
    `To give you an idea: ${sentence}`,
    `A result of a customer: ${sentence}`,
    `As an example, ${sentence}`,
  ]
  return wordings[order(`lead ${sentence}`) % wordings.length] as string
}

/** The best first; the order of equivalent ones depends on the seed. */
function rank(rows: readonly { text: string; score: number }[], order: (text: string) => number): string[] {
  const top = Math.max(...rows.map(({ score }) => score))
  const tied = rows.filter(({ score }) => score >= top - TIE).toSorted((a, b) => order(a.text) - order(b.text))
  const others = rows.filter(({ score }) => score < top - TIE).toSorted((a, b) => b.score - a.score)
  return [...tied, ...others].map(({ text }) => text)
}
