// Learns how a member writes from a message they wrote or edited.
import { countWords, givenName } from './compose.ts'

export type WritingStyle = {
  /** With `{first}` or `{full}` for the name: "Hello {first},". */
  greeting: string | null
  /** "Cheers,". */
  sign_off: string | null
  /** Without greeting and signature. */
  body_words: number
}

const MAX_LINE_CHARS = 60
/** A greeting of a sample, whose reader is not known. */
const GREETING =
  /^((?:Hi|Hello|Hey|Dear|Good (?:morning|afternoon|day)|Hallo|Guten Tag|Bonjour|Hola)(?: there)?) ?((?:\p{Lu}[\p{L}'’-]*)(?: \p{Lu}[\p{L}'’-]*)*)?([,!.]?)$/u
/** A few words and the name of the reader alone: a greeting of two people or a sentence does not fit others. */
const TEMPLATE = /^(?:Guten (?:Tag|Morgen)|\p{L}+(?: \p{Ll}+){0,2}) \{(?:first|full)\}[,!.]?$/u
const SIGN_OFF =
  /^(?:(?:best|kind|warm|many)(?: (?:regards|wishes|thanks))?|regards|cheers|thanks(?: a lot)?|thank you|sincerely|yours(?: sincerely)?|all the best|talk soon|have a (?:good|great|nice) (?:day|week|one)|beste grüße|viele grüße|mit freundlichen grüßen|cordialement|saludos)[,!.]?$/iu

/** `reader`: the person to whom a draft was addressed; null for a sample. */
export function learnStyle(message: string, reader: { full_name: string } | null): WritingStyle {
  const lines = message.replaceAll('\r', '').trim().split('\n')
  const [first = ''] = lines
  const greeting = first.trim().length <= MAX_LINE_CHARS ? readGreeting(first.trim(), reader) : null
  const at = lines.findLastIndex((line) => SIGN_OFF.test(line.trim()))
  const end = at > 0 ? at : lines.length
  return {
    greeting,
    sign_off: at > 0 ? (lines[at] as string).trim() : null,
    body_words: Math.max(1, countWords(lines.slice(greeting ? 1 : 0, end).join(' '))),
  }
}

function readGreeting(line: string, reader: { full_name: string } | null): string | null {
  if (reader) {
    const given = givenName(reader)
    const greeting = line.includes(reader.full_name)
      ? line.replace(reader.full_name, '{full}')
      : line.replace(given, '{first}')
    if (TEMPLATE.test(greeting)) return greeting
  }
  const [, words, name, end = ''] = GREETING.exec(line) ?? []
  if (!words || (reader && name)) return null
  return name ? `${words} ${name.includes(' ') ? '{full}' : '{first}'}${end}` : null
}
