// Finds phone numbers in the texts and links of a page, with what the page calls them. Whether a number is valid in its
// country is decided later, where the country of the company is known.
import { EXTENSION } from '../people/phone-number.ts'
import { decodePercentEncoding } from '../text/decode.ts'
import { foldText } from '../text/fold.ts'

/** What a page calls a number. */
type PhoneKind = 'direct' | 'mobile' | 'phone' | 'office'

/** A number as the page writes it, without its extension. Null: the page shows only an extension of the switchboard. */
export type ShownPhone = {
  number: string | null
  extension: string | null
  kind: PhoneKind
  /** The sentence that contains it, where it is not in a line of contact details. */
  sentence: string | null
}

/** The most personal first. */
const KINDS: readonly PhoneKind[] = ['direct', 'mobile', 'phone', 'office']
export const byKind = (one: ShownPhone, other: ShownPhone) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind)

/** The words before a number, without accents. Numbers after the first two belong to no one in particular. */
const ASSISTANTS = 'assistants?|assistenz|assistentin|assistante|asistente|assistente|sekretariat|secretary|secretariat'
const PLACES =
  'reception|empfang|zentrale|switchboard|standard|centralita|centralino|receptie|hotline|helpline|toll free|freephone|emergency|notruf|notfall|service|kundenservice|support|branch|(?:front|help|info|information|main|service) desk'
const LABELS: readonly [PhoneKind | 'fax' | 'others', string][] = [
  ['fax', 'fax|faks|telefax|telecopie|telecopieur|facsimile|f|факс|傳真|传真|ファックス'],
  ['others', `${ASSISTANTS}|ea|${PLACES}`],
  [
    'direct',
    'direct|direct line|direct dial|direct phone|ddi|did|d|durchwahl|direktwahl|direkt|dw|directe|directo|directa|diretto|diretta|doorkies|doorkiesnummer|rechtstreeks|direktnummer|direktenummer',
  ],
  [
    'mobile',
    'mobile|mobil|mob|m|cell|cellular|cellulare|cellphone|c|handy|natel|portable|port|movil|mobiel|gsm|whatsapp|wa',
  ],
  [
    'phone',
    'tel|telephone|telefon|telefono|telefoon|telefonnummer|telf|tlf|tfno|tfn|tf|fon|phone|ph|t|p|call|work|desk|rufnummer|puh|puhelin|fono|kontakt|contact',
  ],
  ['office', 'office|o|main|general|buro|bureau|oficina|ufficio|kantoor|hq|headquarters|festnetz'],
]
const NUMBER_WORDS = '(?:[\\s-]{1,2}(?:no|nr|num|number|nummer|line|dial|phone|tel|telephone|telefon|me on|me at))?'
const LABEL_PATTERNS = LABELS.map(
  ([kind, words]) => [kind, new RegExp(`(?:^|[^\\p{L}])(?:${words})${NUMBER_WORDS}[\\s.:：|()/-]{0,6}$`, 'u')] as const,
)
const anyOf = (words: string) => new RegExp(`(?:^|[^\\p{L}])(?:${words})(?![\\p{L}])`, 'u')
const ASSISTANT = anyOf(ASSISTANTS)
const PLACE = anyOf(PLACES)
/** "PA: Eve Roe, 415-…": the number of someone else, whose name is between the label and the number. PA is also a state. */
const SOMEONE_ELSE =
  /(?:^\W{0,3}|\bmy )(?:pa|ea)\b|\b(?:assistant|assistenz|sekretariat|secretary|secretariat|pa|ea|office of)\s{0,2}(?:\([^()]{0,30}\)\s?)?:[^|;•]{0,80}$/u
const CONTACT_FOR = /\b(?:contact|call|reach|ask|speak)\s[^|;•]{1,60}\s(?:for|about|regarding)\s/iu

/** Whether the words before a number name an assistant, a reception or a branch. Next to `name` is the person's own title. */
function isSomeoneElses(preceding: string, name: string, kind: ReturnType<typeof labelOf>): boolean {
  const at = name === '' ? -1 : preceding.indexOf(name)
  const after = preceding.slice(at + name.length).replace(/^[\s,|–-]{0,4}[^,|;•·:.]{0,80}/u, '')
  const words = at < 0 ? preceding : `${preceding.slice(0, at).replace(/[^,|;•:]{0,80}[:,]\s?$/u, '')} ${after}`
  const sentence = foldText(words).replace(/^.*[.!?]\s(?=\S)/su, '')
  if (ASSISTANT.test(sentence) || SOMEONE_ELSE.test(foldText(preceding))) return true
  // "Head of Support, direct: 415-…"
  const isPersonal = kind === 'direct' || kind === 'mobile'
  return PLACE.test(isPersonal ? (sentence.split(/[,|;•·]/u).at(-1) ?? '') : sentence)
}
/** Numbers of accounts, registers and documents. */
const REFERENCE =
  /\b(?:iban|konto|account|vat|ust|siret|siren|hrb|reg|registered|registration|reference|ref|isbn|doi|id)\b[^|;•]{0,30}$/u
const PURPOSE = /^\s*(?:for|to|if|please|um|für|bei|pour|para|per|voor|customers?|kunden|clients?|tickets?)\s/i
const MAX_LABEL_CHARS = 40

const labelOf = (before: string) => {
  const folded = foldText(before.slice(-MAX_LABEL_CHARS))
  return LABEL_PATTERNS.find(([, pattern]) => pattern.test(folded))?.[0] ?? null
}

const NUMBER = /(?<![\p{L}\p{N}+])\+?\(?\+?\d(?:[\s()./-]{0,3}\d){6,14}(?![\s()./-]{0,3}\d)(?!(?!x\d)[\p{Ll}\p{Lo}])/gu
/** Dates, ranges of years, counts of an archive by year, and groups of thousands have as many digits. */
const OTHER_NUMBER =
  /(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d|(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}(?!\d))|^(?:19|20)\d\d(?:\s?[-/]\s?(?:19|20)\d\d$|\s?\()|^\d{1,3}(?:\.\d{3}){1,4}$/

/** The same text with plain dashes and brackets; its positions do not change. */
const plain = (text: string) =>
  text
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll('[0]', '(0)')
    .replaceAll(/(?<=\d)·(?=\d)/g, '.')
    // Two numbers, and not the slash after an area code.
    .replaceAll(/(?<=\d) \/ (?=[+(0])/g, ' | ')

/** Whether a number is grouped in a way in which only phone numbers are: "(415) 555-2671", "01 86 98 12 34". */
function isGroupedAsPhone(number: string): boolean {
  if (/^\(?[2-9]\d\d\)?[\s./-]{1,2}[2-9]\d\d[\s.-]\d{4}$/.test(number)) return true
  const digits = number.replaceAll(/\D/g, '')
  return /^\(?0[1-9]/.test(number) && /\d[\s()./-]{1,3}\d/.test(number) && digits.length >= 9 && digits.length <= 12
}

/**
 * The phone numbers in a line, in reading order, without faxes and numbers of someone else. A number without a country code
 * counts only after a label, where the line is nothing else, or in the groups of a phone number, because years and reference
 * numbers have as many digits. `before` is the line above, `name` the person whose card it is; null: anyone's
 * numbers, except after a label.
 */
export function findPhones(source: string, before = '', name: string | null = ''): ShownPhone[] {
  const text = plain(source)
  const phones: ShownPhone[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(NUMBER)) {
    if (OTHER_NUMBER.test(found)) continue
    const preceding = text.slice(end, index)
    end = index + found.length
    const extension = EXTENSION.exec(text.slice(end, end + 40))
    if (extension) end += extension[0].length
    const label = /[\p{L}\p{N}]/u.test(preceding) ? preceding : `${before} ${preceding}`
    const kind = labelOf(label)
    // The line above may be the person's title, unless it is a label.
    const words = label === preceding || before.trimEnd().endsWith(':') ? label : preceding
    if (kind === 'fax' || kind === 'others' || (name !== null && isSomeoneElses(words, name, kind))) continue
    const rest = text.slice(0, index) + text.slice(end)
    const isAlone = !/[\p{L}\p{N}]/u.test(rest)
    const isPhone =
      kind !== null || /^\(?(?:\+|00)/.test(found) || (isGroupedAsPhone(found) && !REFERENCE.test(foldText(label)))
    if (!isAlone && !isPhone) continue
    const number = readPhoneNumber(found)
    // Contact details are a few words; a sentence has more, or says what the number is for.
    const isLong = (rest.match(/\p{Ll}{2,}/gu)?.length ?? 0) > 8 || PURPOSE.test(preceding)
    const isSentence = (kind !== 'direct' && kind !== 'mobile' && isLong) || CONTACT_FOR.test(preceding)
    if (number)
      phones.push({
        number,
        extension: extension?.[1] ?? null,
        kind: kind ?? 'phone',
        sentence: isSentence ? source : null,
      })
  }
  return phones.length > 0 ? phones : findExtension(text, before)
}

const ONLY_EXTENSION =
  /^(?:ext|extn|extension|durchwahl|direktwahl|dw|direkt|apparat|nebenstelle|nst|klappe|poste|toestel|interno|anexo)(?: (?:no|nr))?[\s.:]{0,4}-?\s?(\d{1,5})$/u

/** A line that is only an extension of the switchboard: "Ext. 12", "Durchwahl -225". */
function findExtension(text: string, before: string): ShownPhone[] {
  if (text.length > MAX_LABEL_CHARS) return []
  const line = foldText(text).trim()
  const found = ONLY_EXTENSION.exec(/^[-\d\s]+$/.test(line) ? `${foldText(before).trim()} ${line}` : line)
  return found?.[1] ? [{ number: null, extension: found[1], kind: 'direct', sentence: null }] : []
}

/** A number as it is written, whitespace collapsed; null when it has too few or too many digits. */
function readPhoneNumber(source: string): string | null {
  const text = source
    .replace(/((?:\+|00)\d{1,3}\)?)[\s.-]{0,2}\(0\)/, '$1 ')
    .replace(/\s+/g, ' ')
    .trim()
  const digits = text.replace(/\D/g, '').length
  return digits >= 7 && digits <= 15 && /^[+(\d][+\d\s()./-]*$/.test(text) ? text : null
}

/** The number of a structured value or of a tel: link, with its extension. */
export function readPhone(source: string): ShownPhone | null {
  if (source.length > 90) return null
  const text = plain(decodePercentEncoding(source))
    .replace(/^(?:tel|callto|sms):(?:\/\/)?/i, '')
    .replace(/\?.*$/s, '')
    .trim()
  const [whole, extension = null] = /(?:;ext=|[,;]{1,3}|[px](?=\d{1,6}$))(\d{1,6})#?$/i.exec(text) ??
    EXTENSION_AT_END.exec(text) ?? ['']
  const number = readPhoneNumber(text.slice(0, text.length - whole.length))
  return number ? { number, extension, kind: 'phone', sentence: null } : null
}

const EXTENSION_AT_END = new RegExp(`${EXTENSION.source.slice(1)}$`, EXTENSION.flags)

const LINK = /^(?:tel|callto|sms):/i
const MESSENGER = /^https?:\/\/(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=)\+?(\d{8,15})(?:\D|$)/i

/** The number of a link that calls it. `words`: the text around and in the link, which may label it; `line`: the text in its line. */
export function readPhoneLink(href: string, words: string, line = '', name = ''): ShownPhone | null {
  const [, messenger] = MESSENGER.exec(href.slice(0, 200)) ?? []
  const phone = messenger ? readPhone(`+${messenger}`) : LINK.test(href) ? readPhone(href) : null
  const kind = labelOf(words.replace(/[\d\s()+./-]{7,}$/, ''))
  if (!phone || kind === 'fax' || kind === 'others' || isSomeoneElses(line, name, kind)) return null
  return { ...phone, kind: messenger ? 'mobile' : (kind ?? 'phone') }
}

/** The number as written, with its extension. German numbers of a switchboard end in the extension 0, which it replaces. */
export function writePhone(number: string, extension: string | null): string {
  if (extension === null) return number
  return /-0+$/.test(number) ? number.replace(/0+$/, extension) : `${number} ext. ${extension}`
}

/** The last digits of a number, which are the same with and without a country code, and its extension. */
export function phoneKey({ number, extension }: Pick<ShownPhone, 'number' | 'extension'>): string {
  const digits = (number ?? '').replaceAll(/\D/g, '').replace(/^0+/, '')
  return `${digits.slice(-7)}${extension === null ? '' : `;${extension}`}`
}

const BEFORE_NUMBER = /[\s,(|–—:•·-]*(?:\p{L}[\p{L}.]{0,19}[\s.:]{1,3}){0,2}$/u

/** The text before the first phone number and its label; the whole text when it contains none. */
export function cutAtPhone(text: string): string {
  const [phone] = findPhones(text, '', null)
  if (!phone?.number) return text
  const [found] = plain(text).matchAll(NUMBER)
  if (!found) return text
  const before = text.slice(0, found.index)
  return labelOf(before) === null ? before : before.replace(BEFORE_NUMBER, '')
}
