import { digest } from '../world/build.ts'
import type { Theme } from '../world/types.ts'
import { escapeHtml, json, paragraphs } from './html.ts'
import { navigation } from './pages.ts'
import {
  aboutBlock,
  asset,
  contact,
  dateOf,
  head,
  links,
  type Markup,
  network,
  semantic,
  staticSite,
  textOf,
  wordpress,
} from './themes.ts'

/** No semantic elements: generated class names, dates as plain text. */
const divsoup: Markup = {
  page: (company, content) => `<!DOCTYPE html>
<html><head>
${head(company, content)}
<link href="${asset(company, 'bundle', 'css')}" rel="stylesheet">
</head><body>
<div class="x1a"><div class="x1b"><div class="x1c"><a href="/">${escapeHtml(company.name)}</a></div>
<div class="x1d">${navigation(company)
    .map(({ label, url }) => `<div class="x1e"><a href="${url}">${escapeHtml(label)}</a></div>`)
    .join('')}</div></div></div>
<div class="x2a"><div class="x2b">
${content.main}
</div></div>
<div class="x9a"><div class="x9b">${contact(company)}</div><div class="x9c">${network(company)}</div></div>
<script src="${asset(company, 'bundle', 'js')}"></script>
</body></html>`,
  index: (company, articles) =>
    articles
      .map(
        (article) => `<div class="x4a"><a href="${article.path}"><div class="x4b">${dateOf(company, article)}</div>
<div class="x4c">${escapeHtml(article.title)}</div></a></div>`,
      )
      .join('\n'),
  article: (company, article) => `<div class="x5a"><div class="x5b">${escapeHtml(article.title)}</div>
<div class="x5c">${dateOf(company, article)}</div>
${article.paragraphs.map((text) => `<div class="x5d">${escapeHtml(text)}</div>`).join('\n')}
${aboutBlock(company, article)
  .map((text) => `<div class="x5e">${escapeHtml(text)}</div>`)
  .join('\n')}</div>`,
}

/** Rendered on the server and hydrated in the browser, from the same data in a script. */
const next: Markup = {
  page: (company, content) => `<!DOCTYPE html><html lang="en"><head>
${head(company, content)}
<meta name="next-head-count" content="9"/>
<link rel="preload" href="${asset(company, 'chunk', 'css')}" as="style"/>
</head><body><div id="__next"><div class="Layout_root__q1"><header class="Header_bar__f3"><a href="/"><span>${escapeHtml(company.name)}</span></a><nav class="Header_nav__k2">${links(company, '')}</nav></header>
<main class="Layout_main__z7">
${content.main}
</main><footer class="Footer_root__b8"><p>${contact(company)}</p>${network(company)}</footer></div></div>
${json(
  'application/json',
  {
    props: { pageProps: { title: content.title, ...content.props }, __N_SSG: true },
    page: content.path,
    query: {},
    buildId: digest(`${company.domain}${company.build.number}`).slice(0, 21),
    isFallback: false,
  },
  ' id="__NEXT_DATA__"',
)}
</body></html>`,
  index: (company, articles) =>
    `<div class="NewsGrid_root__u5">${articles
      .map(
        (article) =>
          `<a class="NewsCard_card__p9" href="${article.path}"><span class="NewsCard_date__d1">${dateOf(company, article)}</span><h3 class="NewsCard_title__t4">${escapeHtml(article.title)}</h3><p>${escapeHtml((article.paragraphs[0] ?? '').slice(0, 120))}…</p></a>`,
      )
      .join('')}</div>`,
  article: (
    company,
    article,
  ) => `<article class="Article_root__a2"><h1>${escapeHtml(article.title)}</h1><span class="Article_date__e6">${dateOf(company, article)}</span><div class="Article_body__c4">
${textOf(article)}
</div><aside class="Article_about__g8">${paragraphs(aboutBlock(company, article))}</aside></article>`,
}

/** Markup of around the year 2000. */
const table: Markup = {
  page: (company, content) => `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML><HEAD>
${head(company, content)}
</HEAD>
<BODY bgcolor="#ffffff" link="#003366">
<TABLE width="900" align="center" cellpadding="6" cellspacing="0" border="0">
<TR><TD colspan="2" bgcolor="#003366"><FONT color="#ffffff" size="5"><B>${escapeHtml(company.name)}</B></FONT></TD></TR>
<TR><TD width="160" valign="top" bgcolor="#eeeeee"><FONT size="2">${links(company, '<BR>\n')}</FONT></TD>
<TD valign="top"><FONT face="Verdana" size="2">
${content.main}
</FONT></TD></TR>
<TR><TD colspan="2" align="center"><FONT size="1">${contact(company)} ${network(company)}</FONT></TD></TR>
</TABLE>
<!-- ${asset(company, 'build', 'log')} -->
</BODY></HTML>`,
  index: (company, articles) =>
    `<TABLE border="0" cellpadding="4">\n${articles
      .map(
        (article) =>
          `<TR><TD nowrap valign="top">${dateOf(company, article)}</TD><TD><A href="${article.path}">${escapeHtml(article.title)}</A></TD></TR>`,
      )
      .join('\n')}\n</TABLE>`,
  article: (company, article) => `<FONT size="4"><B>${escapeHtml(article.title)}</B></FONT><BR>
<I>${dateOf(company, article)}</I><BR><BR>
${[...article.paragraphs, ...aboutBlock(company, article)].map((text) => `${escapeHtml(text)}<BR><BR>`).join('\n')}
<CENTER>###</CENTER>`,
}

export const THEMES: Readonly<Record<Theme, Markup>> = { semantic, wordpress, divsoup, next, table, static: staticSite }
