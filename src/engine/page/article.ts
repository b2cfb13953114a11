// Finds the element that holds an article's text, and removes share buttons, teasers and the like from it.
import { BOILERPLATE_ROLES, isBoilerplate, isHidden, measureLinks, proseLength, textLength } from './boilerplate.ts'
import { type Element, elementText, walkElements } from './element.ts'
import { type VisibleLine, visibleLines } from './lines.ts'

/** Class names and ids of elements that hold an article's text, most specific first. */
const BODY_NAMES = [
  /(?:^|[\s_-])(?:post|entry|article|art|story|news|blog|detail|page|text|release)[-_]{0,2}(?:text|body|content|copy|inner)|(?:^|\s)(?:post|entry|story|articletext|fulltext)(?:\s|$)|body-?text|field-(?:name-)?body|rich-?text|prose(?:\s|$)|wysiwyg/i,
  /(?:^|[\s_-])(?:article|story|single-post|single-content|main-column|wpb_text_column|theme-content|section-content)(?:$|[\s_-])/i,
  /(?:^|[\s_-])(?:main-?content|content-?main|content-?body|page-?content|content)(?:$|[\s_-])/i,
]
const BODY_TAGS = new Set(['div', 'section', 'article', 'main', 'td'])

/** Class names and ids of elements inside an article that are not part of its text. */
const NOISE_NAMES = new RegExp(
  `(?:^|-)(?:${
    'share|shares|sharing|sharer|social|sociable|viral|newsletters?|syndication|tags?|taglist|sidebar|banner|breadcrumbs?|bread-crumbs?|' +
    'buttons?|authors?|autor|authordate|cookies?|borlabs|content-blocker|nav|navigation|subnav|navbar|menu|footer|foot-note|byline|embed|embedded|' +
    'consent|permission|related|recommend|recommended|recommendations|promo|promotion|advert|advertisement|ads?|sponsored|sponsor|outbrain|taboola|criteo|' +
    'rating|attachment|timestamp|user-info|user-profile|overlay|modal|popup|captions?|img-metadata|imginline|legend|credits?|teasers?|' +
    'comments?|commentlist|kommentare?|respond|reply|replies|disqus|pagination|pager|most-popular|most-read|most-viewed|popular|trending|' +
    'more-on|more-from|more-stories|more-news|more-articles|read-more|readmore|read-next|read-also|see-also|saiba-mais|next-post|nextpost|next-article|' +
    'prev-post|previous-post|prev-article|post-nav|subscribe|subscription|souscription|encart|signup|sign-up|paywall|print|toolbar|masthead|skip-link|' +
    'copyright|disclaimer|affiliate|meta|postmeta|postmetadata|post-info|article-infos?|other-infos|infoline|info-?box|category|categories|bio|' +
    'screen-reader-text|sr-only|visually-hidden|noprint|akismet|follow|recent-posts|recent-entries|contexto|chamada|aktionsbutton|app-section|newsdatum'
  })(?:-|$)`,
)
/** Lines that refer to other articles or credit a picture. */
const ASIDES =
  /^(?:(?:lesen sie auch|lies auch|mehr zum thema|zum weiterlesen|schon gelesen|read also|also read|see also|lire aussi|à lire aussi|lees ook|leia (?:também|mais)|leggi anche|te puede interesar|puedes ver|le[ae] también|czytaj (?:też|także|więcej)|dowiedz się więcej)(?!\p{L})|(?:related|more on|read (?:more|next)|weitere (?:informationen|infos|themen)|fotos?|photos?|bild|titelbild|image|picture|quelle|source|fuente|fonte|crédits?|credits?) ?(?::|$))/iu
const ASIDE_CHARS = 160
/** Class names and ids of the lead, the sentence or two between heading and text. */
const LEAD_NAMES =
  /(?:^|-)(?:lead|lede|intro|introduction|teaser-text|article-teaser|news-teaser|ce-news-teaser|summary|subtitle|sub-headline|subheadline|subheading|deck|dek|standfirst|chapo|excerpt|vorspann|bajada|abstract|(?:news|article|post)-description|article-lead|entry-summary)(?:-|$)/
const LEAD_CHARS = { least: 40, most: 900 }

const NOISE_TAGS = new Set('nav footer aside dialog menu figcaption figure fieldset label legend'.split(' '))
/** An element with more than this share of the text is never noise, whatever its name. */
const NOISE_SHARE = 0.5
/** If less than this share of the text is left, the class names are misleading. */
const MIN_SHARE_LEFT = 1 / 7

/** Lines that are only the label of a button or a section. */
const LABELS =
  /^(?:facebook|twitter|linkedin|whatsapp|xing|e-?mail|mail|print|drucken|imprimer|imprimir|stampa|pdf|share|teilen|partager|compartir|condividi|tweet|pin(?:terest)?|reddit|flipboard|pocket|telegram|instagram|mehr zum thema|more on this(?: topic)?|read more|weiterlesen|lire la suite|leer más|advertisement|anzeige|publicité|werbung|comments?|kommentare?)$/i

/** An article's element holds at least this share of the page's prose; otherwise it is the teaser of another article. */
const BODY_SHARE = 0.4
const BODY_CHARS = 250

/** The element that holds the article's text, by its markup, class and id; null when there is none. */
export function findArticleBody(body: Element): Element | null {
  const total = proseLength(body)
  const enough = Math.max(BODY_CHARS, total * BODY_SHARE)
  const stages: Element[][] = [[], [], [], [], []]
  walkElements(body, (element) => {
    const { tag, attrs } = element
    // Footers and dialogs contain elements with the class names of articles.
    if (isBoilerplate(element, null) && textLength(element) < textLength(body) / 2) return false
    if (!BODY_TAGS.has(tag)) return undefined
    if (proseLength(element) < enough) return undefined
    if (attrs.itemprop === 'articleBody') stages[0]?.push(element)
    const names = [attrs.class, attrs.id].filter((name) => name !== undefined).map((name) => name.slice(0, 300))
    BODY_NAMES.forEach((pattern, at) => {
      if (names.some((name) => pattern.test(name))) stages[at === 0 ? 1 : at + 2]?.push(element)
    })
    if (tag === 'article' || attrs.role === 'article') stages[2]?.push(element)
    return undefined
  })
  for (const found of stages) {
    const most = found.reduce((most, element) => Math.max(most, proseLength(element)), 0)
    // Of nested elements, the innermost with nearly as much prose as the largest.
    const body = found.findLast((element) => proseLength(element) >= most * 0.9)
    if (body) return wholeArticle(body)
  }
  return null
}

/** Some sites split the text of an article into several elements with the same class name. */
function wholeArticle(part: Element): Element {
  for (let at = part.parent, depth = 0; at && depth < 6; at = at.parent, depth++) {
    if (at.tag === 'article' || at.attrs.itemprop === 'articleBody') {
      return proseLength(at) > proseLength(part) * 1.3 ? at : part
    }
  }
  return part
}

/** The lines of an article with its lead; null when so little is left that the class names must be misleading. */
export function articleLines(article: Element, body: Element): VisibleLine[] | null {
  const whole = textLength(article)
  const lines = visibleLines(article, (element) => element !== article && isNoise(element, whole))
  const kept = lines.filter(({ text }) => !LABELS.test(text) && !(text.length <= ASIDE_CHARS && ASIDES.test(text)))
  const length = kept.reduce((sum, { text }) => sum + text.length, 0)
  if (length < whole * MIN_SHARE_LEFT) return null
  // Headings at the end belong to what follows the article.
  while (kept.length > 1 && /^h[1-6]$/.test(kept.at(-1)?.element.tag ?? '')) kept.pop()
  return [...leadBefore(article, body, kept), ...kept]
}

/** The lead of an article, which many sites place outside the element with the text. */
function leadBefore(article: Element, body: Element, kept: readonly VisibleLine[]): VisibleLine[] {
  const known = new Set(kept.map(({ text }) => text))
  let lead: Element | null = null
  walkElements(body, (element) => {
    if (element.number >= article.number || element.last >= article.last) return element.number < article.number
    // A lead does not precede the heading.
    if (element.tag === 'h1') lead = null
    const length = textLength(element)
    if (length < LEAD_CHARS.least || isHidden(element) || OTHER_TAGS.has(element.tag)) return false
    if (BOILERPLATE_ROLES.has(element.attrs.role ?? '') || MENU_NAMES.test(nameOf(element))) return false
    if (length <= LEAD_CHARS.most && LEAD_NAMES.test(nameOf(element)) && measureLinks(element).chars < length / 2) {
      lead = element
      return false
    }
    return true
  })
  return lead === null ? [] : visibleLines(lead, () => false).filter(({ text }) => !known.has(text))
}

const OTHER_TAGS = new Set(['nav', 'footer', 'aside', 'form'])
const MENU_NAMES = /(?:^|-)(?:menu|nav|sidebar|footer|cookies?|related)(?:-|$)/

/** Class and id of an element in kebab case: "AuthorBox post_meta" is author-box-post-meta. */
function nameOf({ attrs }: Element): string {
  const given = `${attrs.class ?? ''} ${attrs.id ?? ''}`.slice(0, 300)
  return given
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
}

function isNoise(element: Element, whole: number): boolean {
  const { tag, attrs } = element
  if (NOISE_TAGS.has(tag))
    return tag !== 'figure' || !element.children.some((child) => typeof child !== 'string' && child.tag === 'table')
  if (BOILERPLATE_ROLES.has(attrs.role ?? '') || attrs['aria-hidden'] === 'true') return true
  if (isHidden(element)) return true
  if (tag === 'form') return textLength(element) < whole / 2
  // The id of a heading names the section that follows it.
  if (!/^h[1-6]$/.test(tag) && NOISE_NAMES.test(nameOf(element)) && textLength(element) < whole * NOISE_SHARE)
    return true
  return isLinks(element, whole)
}

const LINKED_TAGS = new Set(['ul', 'ol', 'dl', 'div', 'section', 'p', 'table', 'h2', 'h3', 'h4', 'h5'])

/** Whether an element consists mostly of links to other pages. */
function isLinks(element: Element, whole: number): boolean {
  const { tag } = element
  if (!LINKED_TAGS.has(tag)) return false
  const length = textLength(element)
  if (length === 0 || length > whole * NOISE_SHARE) return false
  const { chars, count } = measureLinks(element)
  if (count === 0) return false
  if (tag === 'table' && length < 200) return false
  const share = chars / length
  if (count === 1) return share > 0.9 && (tag !== 'p' || chars > 100 || isTeaser(element))
  return share > 0.8 && chars / count < 150
}

/** Whether a paragraph that is one link refers to another article: "Read also: …". */
function isTeaser(element: Element): boolean {
  return /^(?:read|see|also|more|related|lesen|mehr|auch|lire|à lire|leer|lee|leggi|lees)\b/i.test(
    elementText(element, 60),
  )
}
