import '../support/steps.ts' // first: it counts only what is compiled after it

import { readWebPage } from '../../src/engine/page/index.ts'
import { different, type Maker, many, testLinear } from '../support/linear.ts'

const jsonLd = (inner: Maker): Maker => {
  return (chars) => `<script type="application/ld+json">${inner(chars - 44)}</script>`
}
/** Blocks of nested elements, each around a few empty ones. */
const groups = (open: string, close: string, depth: number) =>
  many(open.repeat(depth) + '<b></b>'.repeat(depth) + close.repeat(depth))

const JOBS = 'CEO,Nurse,HR Director,Accountant,Sales Manager,Lawyer,Software Engineer,Buyer,Research Fellow'.split(',')

const PAGES: Record<string, Maker> = {
  'empty elements in nested anchors': many('<b></b>', '<a href=x>'.repeat(199)),
  'empty elements in nested links to articles': many('<b></b>', '<a href=/news/some-thing>'.repeat(199)),
  'line breaks in nested anchors': many('<br>', '<a href=x>'.repeat(199)),
  'closed line breaks in nested anchors': many('</br>', '<a href=x>'.repeat(199)),
  'scripts in nested anchors': many('<script></script>', '<a href=x>'.repeat(198)),
  'hidden texts in nested anchors': many('<br><noscript>x</noscript>', '<a href=x>'.repeat(198)),
  'a long text in nested anchors': many('some words ', '<a href=x><br>'.repeat(198)),
  'groups of nested anchors': groups('<a href=/news/some-thing>', '</a>', 20),
  'empty elements in nested boilerplate': many('<b></b>', '<div class=share>'.repeat(199)),
  'groups of nested headings': groups('<h2>', '</h2>', 40),
  'empty elements in nested dates': many('<b></b>', '<time>'.repeat(199)),
  'empty elements in nested tables': many('<b></b>', '<table><tr><td>'.repeat(60)),
  'nested tables': many('<table><tr><td>'),
  'links to articles without a title': many('<a href=/news/some-thing></a>', '<div><div><div><div>'),
  'headings of other companies': many('<h6></h6>', `${'<div>'.repeat(7)}${'<p><h2>our investors</h2>'.repeat(49)}`),
  'wide tables': (chars) =>
    many('<td>x</td>', '<table><tr>', '<td>title<td>name')(chars / 2) + many('<tr><td>')(chars / 2),
  'tables of people': different((name) => `<tr><td>Ada ${name}</td><td>Sales Manager</td></tr>`, '<table>'),
  'one name in a table': many('<tr><td>Ada Pike<td>Sales Manager', '<table>'),
  'one name with many titles': different((word) => `<p>Ada Pike</p><p>${word} Manager</p>`, '<div>'),
  'one name with many jobs': different((_, i) => `<p>Ada Pike</p><p>${JOBS[i % JOBS.length]}</p>`, '<div>'),
  'cards of people': different((name) => `<div><h3>Ada ${name}</h3><p>Sales Manager</p></div>`),
  'cards of people, nested deep': different(
    (name) => `<div><h3>Ada ${name}</h3><p>Sales Manager</p></div>`,
    '<div>'.repeat(190),
  ),
  'people in a line': different((name) => `<b>Ada ${name}</b>, Sales Manager `),
  'one person above much text': many('<p>some words that stand here as a text</p>', '<div><h3>Ada Pike</h3><p>CEO</p>'),
  portraits: different((name) => `<img alt="Ada ${name}, CEO" src=/a>`),
  definitions: many('<dt>Ada Pike<dd>CEO', '<dl>'.repeat(190)),
  'unclosed tags': many('<div'),
  'nested tags': many('<b>'),
  'wrong closing tags': many('</i>', '<b>'.repeat(199)),
  'items behind a border': many('<li>', `<li><ul>${'<b>'.repeat(190)}`),
  'cells in depth': many('<td>', `<table><tr>${'<b>'.repeat(190)}`),
  'a huge attribute': many('share ', '<div class="', '">x</div>'),
  'many attributes': many('x=1 ', '<a ', '>'),
  'long links': many(`<a href="/${'x'.repeat(1_900)}">x</a>`),
  'entities in an attribute': many('&amp;', '<a title="', '">'),
  entities: many('&amp;&bogus;&#65;'),
  'one line': many('lorem ipsum '),
  'one word': many('a'),
  blanks: many(' \u200b'),
  'bold words in a line': many('<b>Ada Pike</b> is our '),
  'a long title': many('Acme  ', '<meta property="og:title" content="', '">'),
  'dates in elements': many('<time>March 3, 2024</time>'),
  'described people': jsonLd(
    different((name) => `{"@type":"Person","name":"Ada ${name}","jobTitle":"CEO"},`, '[', '{}]'),
  ),
  'one person described again': jsonLd(
    different((word) => `{"@type":"Person","name":"Ada Pike","jobTitle":"${word} Manager"},`, '[', '{}]'),
  ),
  'described companies': jsonLd(many('{"@type":"Organization","name":"x","worksFor":{"name":"y"}},', '[', '{}]')),
  'broken descriptions': jsonLd(many(`,${' '.repeat(199)}`, '[')),
  'marked up people': many(
    '<b itemprop="name title role email url">Ada Pike</b>',
    '<p itemtype="//schema.org/Person">',
  ),
  'nested marks': many('<b></b>', `<p itemtype="//schema.org/Person">${'<b itemprop="name role">'.repeat(190)}`),
  'nested marks of companies': many('<b></b>', '<i itemtype="//schema.org/Organization">'.repeat(190)),
  openings: different((word) => `<a href="/careers/${word}">Sales Manager</a>`),
  'links elsewhere': different((word) => `<a href="https://${word}.example/x">b</a>`),
  'job boards': different((word) => `<a href="https://boards.greenhouse.io/${word}">Jobs</a>`),
  comments: many('<!-- x -->'),
  'open angle brackets': many('<'),
  'tags called like a built-in name': many('<constructor>'),
}

testLinear(PAGES, (html) => readWebPage({ url: 'https://a.example/careers', html }), {
  name: 'a page',
  chars: 8_000,
  perChar: 200,
})
