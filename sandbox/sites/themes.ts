import { digest, styleOf } from '../world/build.ts'
import { longDate } from '../world/dates.ts'
import type { Article, SiteCompany } from '../world/types.ts'
import { escapeHtml, json, paragraphs } from './html.ts'
import { FEEDS, latest, layoutOf, navigation, urlOf } from './pages.ts'
import { serviceLinks, tags } from './tags.ts'

/** The content of a page, before a theme renders it. */
export type PageContent = {
  path: string
  title: string
  description: string
  /** The main part of the page, as HTML. */
  main: string
  article?: Article
  json_ld: readonly object[]
  /** The data for the page's scripts in the `next` theme. */
  props?: object
}

export type Markup = {
  page: (company: SiteCompany, content: PageContent) => string
  /** The list of press releases or posts. */
  index: (company: SiteCompany, articles: readonly Article[]) => string
  article: (company: SiteCompany, article: Article) => string
}

/** A text as a paragraph or, if it is one of the release's headings, as a heading. */
const textOf = ({ paragraphs: texts }: Article): string =>
  texts
    .map((text) =>
      text.length < 40 && !/[.!?”"]$/.test(text) ? `<h3>${escapeHtml(text)}</h3>` : `<p>${escapeHtml(text)}</p>`,
    )
    .join('\n')

function aboutBlock(company: SiteCompany, article: Article): string[] {
  if (article.section === 'blog') return []
  const press = company.site.language === 'de' ? 'Pressekontakt' : 'Media contact'
  const about = company.site.language === 'de' ? 'Über' : 'About'
  return [`${about} ${company.name}`, company.boilerplate, `${press}: press@${company.domain}`]
}

const dateOf = (company: SiteCompany, { published }: Article): string => longDate(published, styleOf(company))

/** Head elements that all themes share. */
function head(company: SiteCompany, { path, title, description, article, json_ld }: PageContent): string {
  const feed = company.site.feed ? FEEDS[company.site.feed] : null
  return [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} | ${escapeHtml(company.name)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    `<link rel="canonical" href="${urlOf(company, path)}">`,
    `<meta property="og:site_name" content="${escapeHtml(company.name)}">`,
    `<meta property="og:title" content="${escapeHtml(title)}">`,
    ...(article && company.site.theme !== 'divsoup' && company.site.theme !== 'table'
      ? [`<meta property="article:published_time" content="${article.published}T08:15:00+00:00">`]
      : []),
    ...(feed
      ? [`<link rel="alternate" type="${feed.type}" title="${escapeHtml(company.name)}" href="${feed.path}">`]
      : []),
    ...(company.site.json_ld ? json_ld.map((data) => json('application/ld+json', data)) : []),
    ...tags(company),
  ].join('\n')
}

const links = (company: SiteCompany, between = '\n'): string =>
  navigation(company)
    .map(({ label, url }) => `<a href="${url}">${escapeHtml(label)}</a>`)
    .join(between)

/** A file name that changes with each redeployment. */
const asset = ({ domain, build }: SiteCompany, name: string, ending: string): string =>
  `/assets/${name}.${digest(`${domain}${build.number}`).slice(0, 8)}.${ending}`

const contact = ({ name, domain, city, country }: SiteCompany): string =>
  `${escapeHtml(name)}, ${escapeHtml(city)}, ${escapeHtml(country)} · <a href="mailto:info@${domain}">info@${domain}</a>`

const network = (company: SiteCompany): string =>
  [
    `<a href="https://www.linkedin.com/company/sbx-${company.domain.split('.')[0]}">LinkedIn</a>`,
    ...serviceLinks(company),
  ].join(' ')

const semantic: Markup = {
  page: (company, content) => `<!doctype html>
<html lang="en">
<head>
${head(company, content)}
<link rel="stylesheet" href="${asset(company, 'site', 'css')}">
</head>
<body>
<header><a href="/" class="logo">${escapeHtml(company.name)}</a><nav>${links(company)}</nav></header>
<main>
${content.main}
</main>
<footer><p>${contact(company)}</p><p>${network(company)}</p></footer>
</body>
</html>`,
  index: (company, articles) =>
    articles
      .map(
        (article) => `<article>
<h2><a href="${article.path}">${escapeHtml(article.title)}</a></h2>
<time datetime="${article.published}">${dateOf(company, article)}</time>
<p>${escapeHtml(article.paragraphs[0] ?? '')}</p>
</article>`,
      )
      .join('\n'),
  article: (company, article) => `<article>
<header><h1>${escapeHtml(article.title)}</h1><time datetime="${article.published}">${dateOf(company, article)}</time></header>
${textOf(article)}
<section class="boilerplate">${paragraphs(aboutBlock(company, article))}</section>
</article>`,
}

const wordpress: Markup = {
  page: (company, content) => `<!DOCTYPE html>
<html lang="${company.site.language === 'de' ? 'de-DE' : 'en-GB'}" prefix="og: https://ogp.me/ns#">
<head>
${head(company, content)}
<meta name="generator" content="WordPress 6.8.${company.build.number}" />
<link rel='stylesheet' id='theme-style-css' href='/wp-content/themes/oakfield/style.css?ver=${company.build.number}' media='all' />
<link rel="https://api.w.org/" href="/wp-json/" />
</head>
<body class="page-template-default wp-custom-logo wp-embed-responsive">
<a class="skip-link screen-reader-text" href="#content">Skip to content</a>
<div id="page" class="site">
<header id="masthead" class="site-header"><div class="site-branding"><p class="site-title"><a href="/" rel="home">${escapeHtml(company.name)}</a></p></div>
<nav id="site-navigation" class="main-navigation"><ul id="primary-menu" class="menu">
${navigation(company)
  .map(
    ({ label, url }, i) =>
      `<li id="menu-item-${20 + i}" class="menu-item"><a href="${url}">${escapeHtml(label)}</a></li>`,
  )
  .join('\n')}
</ul></nav></header>
<div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main">
${content.main}
</main></div>
<aside id="secondary" class="widget-area"><section class="widget widget_recent_entries"><h2 class="widget-title">${company.site.language === 'de' ? 'Neueste Beiträge' : 'Recent Posts'}</h2><ul>
${latest(company)
  .slice(0, 3)
  .map(({ path, title }) => `<li><a href="${path}">${escapeHtml(title)}</a></li>`)
  .join('\n')}
</ul></section></aside></div>
<footer id="colophon" class="site-footer"><div class="site-info">${contact(company)} · ${network(company)}</div></footer>
</div>
</body>
</html>`,
  index: (company, articles) =>
    articles
      .map(
        (article, i) => `<article id="post-${900 - i}" class="post-${900 - i} post type-post status-publish hentry">
<header class="entry-header"><h2 class="entry-title"><a href="${article.path}" rel="bookmark">${escapeHtml(article.title)}</a></h2>
<div class="entry-meta"><span class="posted-on"><time class="entry-date published" datetime="${article.published}T08:15:00+00:00">${dateOf(company, article)}</time></span></div></header>
<div class="entry-summary"><p>${escapeHtml((article.paragraphs[0] ?? '').slice(0, 160))} [&hellip;]</p></div>
</article>`,
      )
      .join('\n'),
  article: (company, article) => `<article class="post type-post status-publish format-standard hentry">
<header class="entry-header"><h1 class="entry-title">${escapeHtml(article.title)}</h1>
<div class="entry-meta"><span class="posted-on"><time class="entry-date published" datetime="${article.published}T08:15:00+00:00">${dateOf(company, article)}</time></span><span class="byline"> by <span class="author vcard">press</span></span></div></header>
<div class="entry-content">
${textOf(article)}
${paragraphs(aboutBlock(company, article), ' class="has-small-font-size"')}
</div>
<footer class="entry-footer"><span class="cat-links">Posted in ${layoutOf(company).labels.news}</span></footer>
</article>`,
}

const staticSite: Markup = {
  ...semantic,
  page: (company, content) => `<!DOCTYPE html>
<html lang="en"><head>
${head(company, content)}
<link rel=stylesheet href="${asset(company, 'main', 'css')}">
</head><body>
<div class="wrap">
<h3 class="brand"><a href="/">${escapeHtml(company.name)}</a></h3>
<p class="menu">${links(company, ' / ')}</p>
<hr>
${content.main}
<hr>
<small>${contact(company)} ${network(company)}</small>
</div>
</body></html>`,
  index: (_company, articles) =>
    `<ul class="posts">\n${articles
      .map(
        ({ path, title, published }) =>
          `<li><span class="date">${published}</span> <a href="${path}">${escapeHtml(title)}</a></li>`,
      )
      .join('\n')}\n</ul>`,
  article: (company, article) => `<h1>${escapeHtml(article.title)}</h1>
<p class="meta"><time datetime="${article.published}">${dateOf(company, article)}</time></p>
${textOf(article)}
${paragraphs(aboutBlock(company, article))}`,
}

export { aboutBlock, asset, contact, dateOf, head, links, network, semantic, staticSite, textOf, wordpress }
