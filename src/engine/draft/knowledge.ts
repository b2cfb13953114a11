import { table } from '../table.ts'
// What a message says of the sender: sentences of the knowledge base, one that says what we bring and one that proves it.
// They are chosen, not written: only what has no verb or no subject of its own gets one, so that it reads as a sentence.
import type { ToldEvent } from './event.ts'
import { type KnowledgeSection, PITCH_TYPES, prepareSections, stemsOf } from './sections.ts'
import { asSentence } from './statements.ts'

/** Words by which a sentence fits an event though it does not use its words. */
const NEAR = table<RegExp>({
  funding: /\b(?:grow|growth|growing|scal\w+|invest\w+|rais\w+|fund\w+|board|burn|runway)\b/i,
  expansion:
    /\b(?:new (?:site|sites|location|locations|market|markets|plant|plants|office|offices|country|countries|warehouse|warehouses|store|stores)|open\w*|expan\w+|abroad|country|countries|local)\b/i,
  hiring: /\b(?:hir\w+|recruit\w*|onboard\w*|talent|new (?:starters|joiners|colleagues|employees)|ramp|train\w*)\b/i,
  ipo: /\b(?:audit\w*|complian\w+|report\w*|public compan\w+|listed|controls|closes?|closing|books)\b/i,
  acquisition: /\b(?:acqui\w+|merg\w+|integrat\w+|consolidat\w+|entit(?:y|ies)|subsidiar\w+|group)\b/i,
  leadership_change:
    /\b(?:new leaders?|first (?:\d+ )?(?:days|months|quarter)|overview|visib\w+|insight\w*|plan\w*)\b/i,
  technology_adoption: /\b(?:integrat\w+|migrat\w+|adopt\w*|connect\w*|system\w*|platforms?|cloud|roll\w*)\b/i,
  product_launch: /\b(?:launch\w*|releas\w+|to market|new products?|adopt\w*|ship\w*)\b/i,
  partnership: /\b(?:partner\w*|channel\w*|together|joint\w*|shar\w+)\b/i,
  customer_win: /\b(?:deliver\w*|onboard\w*|new customers?|on time|service levels?|capacity|volume\w*)\b/i,
  layoffs: /\b(?:less|fewer|cost\w*|automat\w+|sav\w+|lean\w*|same team|without (?:more|extra|new))\b/i,
  security_incident: /\b(?:secur\w+|protect\w*|recover\w*|backup\w*|restor\w+|breach\w*|attack\w*|resilien\w+)\b/i,
})

/** Words by which a sentence is about one kind of event and out of place beside another. */
const ABOUT = table<RegExp>({
  acquisition: /\b(?:acqui\w+|merg(?:ed|er|ers|ing)|(?:newly )?bought)\b/i,
  expansion: /\bnew (?:sites?|locations?|plants?|offices?|countr(?:y|ies)|warehouses?|stores?|markets?)\b/i,
  product_launch: /\blaunch\w*\b/i,
})

export type Offer = { pitch: string | null; more: string | null; proof: string | null }

/** The sentences that fit the event best, each ready to be read on its own. */
export function offerFor(
  sections: readonly KnowledgeSection[],
  { angle, kind }: Pick<ToldEvent, 'angle' | 'kind'>,
  event: string,
  company?: string,
): Offer {
  const { pitches, proofs, followers } = prepareSections(sections, company)
  const wanted = stemsOf(event)
  const isNear = (text: string) => NEAR[angle ?? '']?.test(text) === true
  const isAstray = (text: string) => Object.entries(ABOUT).some(([id, words]) => id !== angle && words.test(text))
  const fits = ({ text, stems }: { text: string; stems: ReadonlySet<string> }) =>
    stems.intersection(wanted).size +
    (isNear(text) ? 1.5 : 0) -
    (isAstray(text) && !(angle && ABOUT[angle]?.test(text)) ? 1.5 : 0) +
    (/\b(?:we|our|us)\b/i.test(text) || (company && text.includes(company)) ? 0.5 : 0)
  const pitch = best(
    pitches
      // Beside hard news, what does not help with it is out of place; what we are may be said.
      .filter(({ text, type }) => kind !== 'hardship' || type === 'overview' || (isNear(text) && !isAstray(text)))
      .map((one) => ({
        text: one.text,
        score: fits(one) + (PITCH_TYPES.length - one.rank) * 0.75 - (one.isProof ? 2 : 0),
      })),
  )
  const others = proofs
    .filter(({ source }) => source !== pitch)
    .map((one) => ({ text: one.text, score: one.score + fits(one) }))
  const proof = best(others)
  // Where nothing proves it, the sentence that follows says more.
  const second = proof === null && kind !== 'hardship' && pitch !== null ? (followers.get(pitch) ?? null) : null
  const said = pitch && asSentence(pitch, company, 'What you get')
  return { pitch: said, more: second && !isAstray(second) ? second : null, proof }
}

const best = (rows: readonly { text: string; score: number }[]) =>
  rows.reduce<{ text: string; score: number } | null>((top, row) => (!top || row.score > top.score ? row : top), null)
    ?.text ?? null
