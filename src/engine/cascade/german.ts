/** Words that occur in requests and not in job titles. */
const IS_GERMAN =
  /(?<!\p{L})(?:jemand(?:en|em)?|oder|wer|entscheid(?:er|et|en)\p{L}*|entscheidungsträger\p{L}*|budget ?verantwort\p{L}*|verantwort\p{L}+|zuständig\p{L}*|am besten|idealerweise|ansonsten|sonst|suche|suchen|gesucht|ansprechpartner\p{L}*|keinen?)(?!\p{L})/iu

const PHRASES: [string, string][] = [
  ['(?:ich |wir )?(?:suchen?|brauchen?|möchten?)(?: bitte)?|gesucht|bitte', 'find'],
  ['am besten|am liebsten|idealerweise|bevorzugt|vorzugsweise|möglichst', 'ideally'],
  ['ansonsten|andernfalls|sonst|notfalls', 'otherwise'],
  ['(?:irgend)?jemand(?:en|em)?|irgendwer', 'someone'],
  ['wer', 'who'],
  ['entscheidungsträger(?:in|innen)?|entscheider(?:in|innen|n)?', 'decision makers'],
  ['budget ?verantwortliche[rn]?', 'budget holders'],
  ['(?:mit )?budget ?verantwortung', 'who owns the budget'],
  ['entscheidungs(?:befugnis|gewalt|kompetenz)', 'authority'],
  ['verantwortliche[rnm]?', 'responsible'],
  ['ansprechpartner(?:in)?', 'right person'],
  ['entscheide[nt]|bestimmt', 'decides on'],
  ['verantworte[nt]', 'owns'],
  ['(?:verantwortlich|zuständig)(?: ist| sind)?', 'responsible'],
  ['leitet', 'leads'],
  ['freigibt|genehmigt', 'approves'],
  ['unterschreibt|unterzeichnet', 'signs'],
  ['und', 'and'],
  ['oder', 'or'],
  ['mit', 'with'],
  ['für', 'for'],
  ['über', 'on'],
  ['aus', 'from'],
  ['im|beim|bei|in der', 'in'],
  ['keinen?|keine[rm]', 'no'],
  ['nicht', 'not'],
  ['aber', 'but'],
  ['hat|haben', 'has'],
  ['ist|sind', 'is'],
]
const word = (pattern: string) => new RegExp(String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`, 'giu')
const TABLE = PHRASES.map(([pattern, english]): [RegExp, string] => [word(pattern), english])
/** A relative pronoun with its comma, where the clause has a verb: "…, der über das Budget entscheidet". */
const RELATIVE =
  /,?\s*(?<!\p{L})(?:der|die|das|welche[rs]?)(?= [^,;]*\b(?:decides|owns|responsible|leads|approves|signs|has|is)\b)/giu
const ARTICLES = word('der|die|das|den|dem|des|eine?[nmrs]?')

/**
 * Translates the words around the titles of a German request; other requests are unchanged. languages.ts translates the
 * titles.
 */
export function translateGermanRequest(text: string): string {
  if (!IS_GERMAN.test(text)) return text
  const english = TABLE.reduce((request, [pattern, replacement]) => request.replace(pattern, replacement), text)
  return english.replace(RELATIVE, ' who').replace(ARTICLES, ' ').replace(/\s+/g, ' ').trim()
}
