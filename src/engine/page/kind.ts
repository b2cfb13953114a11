import { type ArticleLink, isArticleUrl } from './article-links.ts'
import { type Element, findElement } from './element.ts'
import type { JsonLdObject } from './json-ld.ts'

/** One article, a list of articles, or neither. */
export type WebPageKind = 'article' | 'listing' | 'page'

const ARTICLE_TYPES = /Article|Posting$|Report$|PressRelease/

export const isArticleType = (type: string) => ARTICLE_TYPES.test(type)

/** Whether the page's metadata declares it to be an article. */
export function declaresArticle(root: Element, objects: readonly JsonLdObject[]): boolean {
  if (objects.some(({ types }) => types.some(isArticleType))) return true
  const isDeclaration = ({ tag, attrs }: Element) =>
    tag === 'meta' && attrs.property === 'og:type' && attrs.content === 'article'
  return findElement(root, isDeclaration) !== null
}

/** A listing has at least this many articles, and per article at most the text of a teaser. */
const LISTING = { minArticles: 5, maxCharsPerArticle: 400 }

/** Whether a page is a list of articles. A page with the URL of an article is not, even if it links to others. */
export function isArticleListing(articles: readonly ArticleLink[], text: string, url: string): boolean {
  const own = URL.parse(url)
  if (own && isArticleUrl(own)) return false
  return articles.length >= LISTING.minArticles && text.length < articles.length * LISTING.maxCharsPerArticle
}
