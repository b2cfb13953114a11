import { type ArticleLink, isArticleUrl } from './article-links.ts'
import { type Element, findElement } from './element.ts'
import type { JsonLdObject } from './json-ld.ts'

/** One article, a list of others, or neither. */
export type WebPageKind = 'article' | 'listing' | 'page'

const ARTICLE_TYPES = /Article|Posting$|Report$|PressRelease/

export const isArticleType = (type: string) => ARTICLE_TYPES.test(type)

/** Whether a page says of itself that it is an article. */
export function declaresArticle(root: Element, objects: readonly JsonLdObject[]): boolean {
  if (objects.some(({ types }) => types.some(isArticleType))) return true
  const says = ({ tag, attrs }: Element) =>
    tag === 'meta' && attrs.property === 'og:type' && attrs.content === 'article'
  return findElement(root, says) !== null
}

/** So many articles, and hardly more text for each than a teaser has. */
const LISTED = { least: 5, chars: 400 }

/** A page whose own address is an article's lists others beside itself. */
export function isArticleListing(articles: readonly ArticleLink[], text: string, url: string): boolean {
  const own = URL.parse(url)
  if (own && isArticleUrl(own)) return false
  return articles.length >= LISTED.least && text.length < articles.length * LISTED.chars
}
