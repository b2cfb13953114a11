import { cutText } from '../text/storable.ts'
import { articleLines, findArticleBody } from './article.ts'
import { isBoilerplate, proseLength } from './boilerplate.ts'
import { type Element, findElement, walkElements } from './element.ts'
import { type VisibleLine, visibleLines } from './lines.ts'

const MAX_TEXT_CHARS = 400_000
/** A text that is shorter may be all that a page has without its scripts. */
const SHORT_CHARS = 250
/** With so much prose a page is read as an article, whatever it calls itself. */
const PROSE_CHARS = 800

export type PageText = {
  /** What a page says: an article is its text and nothing beside it. */
  text: string
  /** All that it shows beside menus, footers, banners and the like: what is compared from one visit to the next. */
  shown: string
}

/** The texts of a page. `told` is the article as the page tells it to machines. */
export function extractText(root: Element, { isArticle, told }: { isArticle: boolean; told: string }): PageText {
  const body = findElement(root, (element) => element.tag === 'body') ?? root
  const main = contentRoot(body)
  const plain = visibleLines(main, (element) => isBoilerplate(element, main))
  const shown = cutText(joinLines(plain.length > 0 ? plain : visibleLines(body, () => false)), MAX_TEXT_CHARS)
  const article = findArticleBody(body) ?? (isArticle || proseLength(main) > PROSE_CHARS ? main : null)
  const lines = article && articleLines(article, body)
  const text = lines && lines.length > 0 ? joinLines(lines) : shown
  // Pages that are drawn by a script have their text for machines alone.
  return {
    text: cutText(text.length < SHORT_CHARS && told.length > 2 * text.length ? told : text, MAX_TEXT_CHARS),
    shown,
  }
}

function joinLines(lines: readonly VisibleLine[]): string {
  const kept: string[] = []
  for (const line of lines) {
    // sliders and modals repeat themselves; one telling is enough
    if (line.text !== kept[kept.length - 1]) kept.push(line.text)
  }
  return kept.join('\n')
}

/** `main` or the one `article`; without them the smallest block that holds most of the long paragraphs. */
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

/** Goes down into the one child that holds three quarters of the prose, as long as there is one. */
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
