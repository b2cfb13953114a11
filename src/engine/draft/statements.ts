// Turns fragments of the knowledge base into complete sentences.
import { wordSet } from '../english/words.ts'

/** Verbs in the third person with their base form: "cuts", "cut". */
const GAINS: ReadonlyMap<string, string> = new Map(
  (
    'cuts:cut halves:halve reduces:reduce saves:save gives:give shows:show makes:make lets:let helps:help finds:find ' +
    'keeps:keep turns:turn brings:bring automates:automate replaces:replace connects:connect tracks:track speeds:speed ' +
    'doubles:double lowers:lower improves:improve increases:increase delivers:deliver provides:provide offers:offer ' +
    'builds:build plans:plan monitors:monitor detects:detect predicts:predict manages:manage shortens:shorten ' +
    'eliminates:eliminate removes:remove simplifies:simplify protects:protect prevents:prevent takes:take puts:put ' +
    'works:work runs:run closes:close matches:match reads:read checks:check sends:send'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)
const IMPERATIVES = new Set([...GAINS.values(), ...wordSet('get see know stop start spend ship hire sell win')])
const FINITE =
  /\b(?:is|are|was|were|has|have|had|can|will|do|does|we|our|gets?|goes|went|needs?|uses?|used|works?|runs?|makes?|takes?|took|stays?|stayed|costs?|sees?|saw|fell|rose|grew|cut|cuts|saved?|saves|reduced?|reduces|halved?|halves|helps?|plans|lets|gives|finds|keeps|turns|brings|shows|went|switched|moved|chose|doubled|tripled|replaced|shortened|dropped|improved|increased|ships?|closes?|closed)\b/i

/** Completes a list item with a subject, or with `lead` when it has no verb. */
export function toSentence(text: string, company: string | undefined, lead: string): string {
  const label = /^\p{Lu}[\p{L} -]{2,24}: (?=\p{Lu}?\p{L})(.+)$/u.exec(text)?.[1]
  const statement = (label ? label.charAt(0).toUpperCase() + label.slice(1) : text).replace(/[\s.;,!]+$/, '')
  const [first = ''] = statement.split(' ', 1)
  const rest = statement.slice(first.length)
  const verb = GAINS.get(first.toLowerCase())
  if (verb) return company ? `${company} ${first.toLowerCase()}${rest}.` : `We ${verb}${rest}.`
  if (IMPERATIVES.has(first.toLowerCase())) return `With ${company ?? 'us'}, you can ${first.toLowerCase()}${rest}.`
  return text.endsWith('.') || FINITE.test(statement) ? `${statement}.` : `${lead}: ${statement}.`
}
