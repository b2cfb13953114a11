import { Parser } from 'htmlparser2'

const BLOCKS = new Set(
  'p div li ul ol dl dt dd br hr tr table section article header footer blockquote h1 h2 h3 h4 h5 h6'.split(' '),
)
const UNSEEN = new Set(['script', 'style', 'template', 'noscript'])

/** The text of a piece of HTML, a line for each block. For whole pages there is the engine's reader. */
export function plainText(html: string, maxChars: number): string {
  let text = ''
  let unseen = 0
  const parser = new Parser({
    onopentagname(name) {
      if (UNSEEN.has(name)) unseen++
      if (BLOCKS.has(name)) text += '\n'
    },
    ontext(part) {
      // Twice as much as wanted, since blanks are taken out in the end.
      if (unseen === 0 && text.length < maxChars * 2) text += part.replaceAll(/\s+/g, ' ')
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen--
      if (BLOCKS.has(name)) text += '\n'
    },
  })
  parser.end(html)
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n\s*/g, '\n')
    .trim()
    .slice(0, maxChars)
}

/** A text whose marks are written as entities, as it was meant. */
export function unescaped(text: string): string {
  const parts: string[] = []
  const parser = new Parser({ ontext: (part) => void parts.push(part) })
  parser.end(text)
  return parts.join('')
}
