import { cutText } from '../text/storable.ts'
import { articleLines, findArticleBody } from './article.ts'
import { isBoilerplate, proseLength } from './boilerplate.ts'
import { type Element, findElement, walkElements } from './element.ts'
import { type VisibleLine, visibleLines } from './lines.ts'

const MAX_TEXT_CHARS = 400_000
/** A shorter text may be all that a page shows without its scripts. */
const SHORT_CHARS = 250
/** A page with this much prose is read as an article, whatever its metadata declares. */
const PROSE_CHARS = 800

export type PageText = {
  /** The main text; for an article, the article alone. */
  text: string
  /** All visible text without boilerplate; used to detect changes between visits. */
  shown: string
}

/** `structured` is the text of the article in the page's JSON-LD. */
export function extractText(
  root: Element,
  { isArticle, structured }: { isArticle: boolean; structured: string },
): PageText {
  const body = findElement(root, (element) => element.tag === 'body') ?? root
  const main = contentRoot(body)
  const plain = visibleLines(main, (element) => isBoilerplate(element, main))
  const shown = cutText(joinLines(plain.length > 0 ? plain : visibleLines(body, () => false)), MAX_TEXT_CHARS)
  const article = findArticleBody(body) ?? (isArticle || proseLength(main) > PROSE_CHARS ? main : null)
  const lines = article && articleLines(article, body)
  const text = lines && lines.length > 0 ? joinLines(lines) : shown
  // Pages rendered by a script contain their text only as structured data.
  return {
    text: cutText(text.length < SHORT_CHARS && structured.length > 2 * text.length ? structured : text, MAX_TEXT_CHARS),
    shown,
  }
}

function joinLines(lines: readonly VisibleLine[]): string {
  const kept: string[] = []
  for (const line of lines) {
    // Sliders and modals repeat their lines.
    if (line.text !== kept[kept.length - 1]) kept.push(line.text)
  }
  return kept.join('\n')
}

/** `main` or the only `article`; without them the smallest block with most of the prose. */
function contentRoot(body: Element): Element {
  const marked = findElement(body, (element) => element.tag === 'main' || element.attrs.role === 'main')
  const scope = marked ?? body
  const articles: Element[] = []
  walkElements(scope, (element) => {
    if (element.tag === 'article') articles.push(element)
    return element.tag !== 'article'
  })
  const total = proseLength(scope)
  const [article] = articles
  if (articles.length === 1 && article && proseLength(article) >= total * 0.5) return article
  return marked ?? densestBlock(body, total)
}

/** Descends into the child with three quarters of the prose, as long as there is one. */
function densestBlock(body: Element, total: number): Element {
  let at = body
  if (total < 400) return body
  for (let depth = 0; depth < 30; depth++) {
    const densestChild = at.children.find(
      (child): child is Element => typeof child !== 'string' && child.tag !== 'p' && proseLength(child) >= total * 0.75,
    )
    if (!densestChild) break
    at = densestChild
  }
  return at
}
