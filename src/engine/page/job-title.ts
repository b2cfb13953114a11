import { oneGender } from '../titles/gender-forms.ts'
import { namesJob } from '../titles/languages.ts'
import { titleWords } from '../titles/words.ts'
import { cutAtPhone } from './phones.ts'

const BOARD_SEAT = /\b(?:member of (?:the )?(?:\w{1,20} )?board|board (?:of \w{1,20} )?member)\b/i
/** First words and verbs of sentences about jobs, which are not titles. */
const SENTENCE =
  /^(?:we|every|each|any|some|this|that|our|the|if|as|how|why|what|when|meet|ask|contact|call|email|write|apply|join|read|learn|view|see|find|become|hire|hiring|looking|questions?|you|your|a|an|for|with|by|in|on|from|to|at|mit|für|von|bei|auf|wir|unsere|nous|nos|notre|pour|avec|para|con|nuestro|nuestra)\b/i
const VERBS =
  /\b(?:is|are|was|were|has|have|had|will|can|joined|leads|oversees|brings|serves|lives|holds|said|says|should|must|know|need|want|helps|makes|announced|appointed|faq|faqs)\b/i

const MAX_TITLE_CHARS = 140
/** Contact details other than a number after a title on the same line. */
const CONTACTS =
  /[\s,(|–—:•·-]+(?:(?:linkedin|xing|twitter|e-?mail|v-?card)(?: profile)?\)?|(?:e-?mail:? )?[\w.+-]{1,64}(?:@| ?\[(?:at|@)\] ?)[\w.-]{3,100}.{0,80})$/i

/** The trimmed job title of a text that is nothing but a job title, or null. */
export function readJobTitle(source: string): string | null {
  const text = tidyTitle(source)
  if (!text) return null
  return namesJob(titleWords(oneGender(text))) || BOARD_SEAT.test(text) ? text : null
}

/** A text that could be a title by its shape; used only where the markup identifies it as a title. */
export function tidyTitle(source: string): string | null {
  if (source.length > MAX_TITLE_CHARS || source.length < 2) return null
  const withoutContacts = cutAtPhone(source).replace(CONTACTS, '')
  // A sentence that ends with a number is not a title followed by one.
  if (withoutContacts !== source && /\p{L}{2}\.\s\p{Lu}/u.test(withoutContacts)) return null
  const text = withoutContacts.replace(/^[\s,|–—:•·-]+/, '').replace(/[\s,(|–—:•·-]+$/, '')
  if (!text || text.split(' ').length > 16 || /[@?!{}<>©“”"…]|https?:|\d{3}/.test(text)) return null
  if (SENTENCE.test(text) || VERBS.test(text)) return null
  if (text.endsWith('.') && !/\b(?:inc|ltd|co|corp|dept|jr|sr|ops|mgr|dir)\.$/i.test(text)) return null
  return /^[\p{Lu}\p{Ll}]/u.test(text) && /\p{Lu}/u.test(text) ? text : null
}
