// What is believed before any label is read: training pulls the weights from here towards the data, so a feature
// seen twice keeps the meaning a person would give it.

import { TRIGGER_GROUPS } from '../src/engine/detect/triggers.ts'
import { SIGNAL_IDS } from '../src/engine/signals/index.ts'

const slots: Record<string, Record<string, number>> = {
  subject: {
    subject_near: 1.2,
    subject: 1,
    owner: 0.6,
    owner_far: 0.2,
    after_by: 0.6,
    subject_through: 0.6,
    subject_past_name: 0.2,
    subject_far: -0.4,
    before_prep: -1,
    after_near: -0.8,
    after_mid: -1,
    after_far: -1.2,
    after_with: -1.5,
    after_of: -0.8,
    after_from: -1.5,
    after_in: -0.8,
    after_to: -1.2,
    after_at: -0.8,
    after_for: -0.4,
    after_as: -1,
    after_between: -1,
    after_prep_far: -1.5,
    we: 0.2,
    none: -0.4,
  },
  object: {
    after_near: 1,
    after_in: 1,
    after_for: 0.7,
    after_with: 0.5,
    after_by: 0.3,
    after_mid: 0,
    after_to: 0.2,
    after_of: 0,
    after_far: -1,
    after_prep_far: -1.2,
    after_from: -1,
    after_at: -0.5,
    after_as: -1,
    owner: -0.5,
    owner_far: -1,
    subject_near: -1.5,
    subject: -1.5,
    subject_past_name: -1.2,
    subject_far: -1.2,
    before_prep: -0.8,
    we: -1.2,
    none: -1,
  },
  either: {
    subject_near: 1,
    subject: 0.9,
    owner: 0.6,
    owner_far: 0.1,
    after_with: 1.2,
    after_near: 0.8,
    after_of: 0.6,
    after_by: 0.5,
    after_between: 1,
    after_mid: 0,
    after_far: -0.8,
    after_prep_far: -1,
    after_from: -0.6,
    after_in: 0.2,
    after_to: -0.2,
    after_at: -0.6,
    after_for: -0.6,
    after_as: -0.6,
    subject_past_name: 0.1,
    subject_far: -0.4,
    before_prep: -0.3,
    we: 0,
    none: -0.6,
    subject_through: 0.5,
  },
  passive: {
    subject_near: 1.2,
    subject: 1,
    owner: 0.6,
    owner_far: 0.2,
    subject_past_name: 0.2,
    subject_far: -0.4,
    after_by: -2,
    after_near: -1.5,
    after_mid: -1.2,
    we: 0.1,
    none: -0.6,
  },
  agent: { after_by: 1.2, after_at: 0.8, after_near: 0.5, after_mid: -0.2, we: -1.5, none: -1.5 },
  person: {
    after_near: 1,
    owner: 0.6,
    subject_near: 0.8,
    subject: 0.6,
    after_of: 0.8,
    after_at: 0.4,
    after_by: 0.4,
    after_mid: 0.3,
    after_for: 0.3,
    after_to: 0.4,
    after_with: -0.3,
    after_from: -1.5,
    after_in: -0.5,
    after_as: -0.5,
    after_far: -0.5,
    after_prep_far: -0.6,
    owner_far: 0.1,
    subject_past_name: 0,
    subject_far: -0.4,
    before_prep: -0.5,
    we: 0.2,
    none: -0.3,
  },
}

// Phrases that name the event outright, and words that mean many things.
const groups: Record<string, number> = {
  accord: -0.2,
  work_with: -0.5,
  integration_noun: -0.8,
  upgrade: -0.8,
  this_partnership: -0.2,
  this_collaboration: -0.2,
  partner_noun: -0.6,
  hiring_word: -0.6,
  announce_funds: -0.4,
  board: -0.8,
  shares: -0.2,
  ipo_proceeds: -0.2,
  interest: -0.8,
  add_leader: -0.8,
  serve_as: -0.4,
  improve: -0.9,
  latest: -0.8,
  build: -0.7,
  presence: -0.7,
  serve_customer: -0.8,
  makes_use: -0.9,
  raise: 0.6,
  round: 0.5,
  close_funds: -0.3,
  receive_funds: -0.3,
  secure_funds: 0,
  offering: 0.2,
  investment_from: 0.3,
  acquire: 0.4,
  acquisition_of: 0.6,
  merger: 0.4,
  combine: -0.6,
  buy: -0.6,
  sell: -0.6,
  acquisition: -0.2,
  appoint: 0.5,
  appointment: 0.5,
  welcome: -0.5,
  new_role: -0.6,
  launch: 0.4,
  launch_of: 0.5,
  unveil: 0.3,
  release: -0.4,
  showcase: -1,
  available: -0.2,
  new_product: -0.6,
  grand_opening: 0.6,
  expand: 0.2,
  new_place: 0.1,
  enter_market: -0.5,
  open: 0.1,
  partner_with: 0.3,
  partnership: 0.2,
  integration: -0.6,
  official_partner: -0.5,
  agreement: 0.1,
  lay_off: 0.6,
  cut_jobs: -0.4,
  ipo: 0.2,
  listing: 0,
  spac: -0.6,
  file_ipo: -0.6,
  selected_by: 0.7,
  win_contract: 0.3,
  contract: 0,
  selects: 0,
  adopts: 0.6,
  uses: -0.5,
  powered_by: -0.8,
  adopted_by: 0.5,
  hiring: 0,
  new_jobs: 0.6,
  create_jobs: -0.6,
  grow_team: -0.3,
  breach: 0,
}

// What is launched, opened or bought decides what the event is.
const objects: Record<string, number> = {
  'product_launch:product': 0.5,
  'product_launch:not_product': -1,
  'product_launch:ipo_word': -2,
  'product_launch:fund_noun': -0.4,
  'acquisition:deal_noise': -1,
  'acquisition:deal_noun': 0.3,
  'expansion:place': 0.4,
  'expansion:product': -0.2,
  'expansion:not_place': -0.5,
  'expansion:geo': 0.3,
  'funding:fund_noun': 0.4,
  'funding:money': 0.4,
  'funding:ipo_word': -1.5,
  'leadership_change:title': 0.3,
  'customer_win:contract': 0.9,
  'technology_adoption:technology': 0.4,
  'hiring:job_noun': 0.4,
  'layoffs:job_noun': 0.4,
}

// A partner or a bought company is named in passing more often than the one who acts.
const prominences: Record<string, [number, number]> = {
  main: [0.6, 0.5],
  high: [0.3, 0.3],
  mid: [-0.3, 0],
  low: [-0.8, -0.2],
}

const others: Record<string, number> = {
  'section:title': 0.5,
  'section:body': 0,
  'section:about': -2.5,
  'section:forward': -3,
  'section:contact': -2,
  'place:first': 0.6,
  'place:early': 0.2,
  'place:middle': -0.2,
  'place:late': -0.5,
  quoted: -0.4,
  short: -0.4,
  subject_own: 0.4,
  goes_somewhere: 0.4,
  names_partner: 0.3,
  names_no_partner: -0.3,
  names_place: 0.4,
  names_no_place: -0.2,
  buys: -1.5,
  sells: -1.5,
  investor_name: -0.6,
  'previous:pre': -0.8,
  'previous:post': -0.8,
  modifies: -1,
  aside: -2,
  names_other: -0.6,
  named_before: 0.2,
  not_named_before: -0.1,
  opens: 0.2,
  does_not_open: -0.3,
  is_the_company: 0.3,
  'prominence_we:main': 0.4,
  'prominence_we:high': -0.2,
  'prominence_we:mid': -1,
  'prominence_we:low': -2,
  'prominence_none:main': 0.1,
  'prominence_none:high': -0.5,
  'prominence_none:mid': -1.2,
  'prominence_none:low': -2,
  leads_title: 0.3,
  in_title: 0.1,
  in_lead: 0.1,
  'before:announce': 0.5,
  'before:rumour': -1.2,
  'before:plan': -0.4,
  'before:firm': 0.3,
  'before:negation': -1.5,
  'before:history': -0.6,
  'has:history': -0.3,
  'has:said': -0.3,
  'has:lawsuit': -1,
  'has:call_to_action': -0.5,
  'has:crypto': -0.3,
  'has:presale': -0.5,
  'has:stock': -0.3,
  'has:adviser': -0.3,
  'has:rumour': -0.4,
  'has:plan': -0.1,
  'has:money': 0.1,
  'has:announce': 0.3,
  'year:past': -1.5,
  'year:last': -0.4,
  'year:this': 0.1,
  'year:coming': 0.1,
  'told:often': 0.3,
  'told:again': 0.1,
  'told:once': -0.2,
  title_tells: 0.8,
  title_silent: -0.4,
  'previous:not': -1,
  'previous:would': -0.8,
  'previous:could': -0.8,
  'previous:may': -0.8,
}

// A plain statement of one of these keeps its weight.
export const RARE = new Set('hiring layoffs ipo customer_win technology_adoption security_incident'.split(' '))

/** A feature that is a phrase of the text and not a class of phrases. */
export const isWord = (feature: string) => feature.startsWith('trigger:') || feature.startsWith('title:')

/** The weight a feature starts from. */
export function priorOf(feature: string): number {
  const known = others[feature]
  if (known !== undefined) return known
  if (feature.includes('@') || isWord(feature)) return 0
  const [kind, first, second] = feature.split(':') as [string, string?, string?]
  if (feature.endsWith(':investor')) return -2.5
  if (kind === 'subject_other') return first === 'person' || first === 'either' ? 0 : -0.8
  if (kind === 'object') return objects[`${first}:${second}`] ?? 0
  if (kind === 'clear') return RARE.has(first as string) ? 1 : 0.6
  if (kind === 'headline') return RARE.has(first as string) ? 1.2 : 0.5
  if (kind === 'group') return groups[second as string] ?? 0
  if (second === 'title_mid' || second === 'title_far')
    return first === 'object' || first === 'agent' ? -1 : second === 'title_mid' ? 0.5 : -0.1
  if (kind === 'slot') return slots[first as string]?.[second as string] ?? -0.5
  if (kind === 'prominence') return prominences[first as string]?.[second === 'either' ? 1 : 0] ?? 0
  if (kind === 'by_reference') return (slots[second as string]?.[feature.split(':')[3] as string] ?? -0.2) * 0.4
  if (kind === 'role') return second === 'later' && (first === 'subject' || first === 'passive') ? -0.5 : 0
  if (kind === 'signal') return -1.5
  if (kind === 'wants_near' || kind === 'needs_near') return 0.5
  if (kind === 'wants_none') return -0.5
  if (kind === 'noise_near') return -0.8
  return 0
}

/** Features that have a prior of their own: they keep it in the weights, even when no labelled document shows them. */
export function featuresWithPrior(): string[] {
  const names = Object.keys(others)
  for (const [frame, bySlot] of Object.entries(slots)) {
    for (const slot of Object.keys(bySlot))
      names.push(
        `slot:${frame}:${slot}`,
        `by_reference:and_name:${frame}:${slot}`,
        `by_reference:only:${frame}:${slot}`,
      )
    for (const level of Object.keys(prominences)) names.push(`prominence:${level}:${frame}`)
    names.push(`role:${frame}:later`, `subject_other:${frame}`, `slot:${frame}:investor`)
    names.push(`slot:${frame}:title_mid`, `slot:${frame}:title_far`)
  }
  for (const { name, signal } of TRIGGER_GROUPS) names.push(`group:${signal}:${name}`)
  for (const object of Object.keys(objects)) names.push(`object:${object}`)
  for (const signal of SIGNAL_IDS) {
    for (const kind of ['signal', 'clear', 'headline', 'wants_near', 'needs_near', 'wants_none', 'noise_near'])
      names.push(`${kind}:${signal}`)
  }
  return names.filter((name) => priorOf(name) !== 0)
}
