import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'

/** Reads an article with Readability on linkedom, with which the page parser is compared. */
export function readArticle(html: string) {
  const { document } = parseHTML(html)
  return new Readability(document as unknown as ConstructorParameters<typeof Readability>[0]).parse()
}
