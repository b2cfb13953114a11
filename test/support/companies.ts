import pg from 'pg'
import type { Host } from '../../sandbox/internet.ts'
import { importCompanies } from '../../src/imports/companies.ts'

/** The date a number of days ago. */
export const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** Adds companies to a workspace's universe, as an import does. */
export async function addCompanies(databaseUrl: string, workspaceId: string, companies: Record<string, string>[]) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  async function* rows() {
    yield companies.map((fields, at) => ({ line: at + 2, fields, progress: null }))
  }
  try {
    return await importCompanies(client, workspaceId, rows(), { dryRun: false, session: false })
  } finally {
    await client.end()
  }
}

/** Sentences that report a signal of a company. */
export const EVENTS = {
  funding: (name: string) => ({
    title: `${name} raises $40 million in Series B funding`,
    text: `${name} today announced that it has raised $40 million in Series B funding led by Vantor Capital.`,
  }),
  layoffs: (name: string) => ({
    title: `${name} lays off 120 employees`,
    text: `${name} today announced that it is laying off 120 employees, about 15 percent of its workforce.`,
  }),
  acquisition: (name: string) => ({
    title: `${name} acquires Brightwater Analytics`,
    text: `${name} today announced that it has acquired Brightwater Analytics for $25 million in cash.`,
  }),
}

export type Site = {
  name: string
  /** Age in days of each signal. */
  events?: Partial<Record<keyof typeof EVENTS, number>>
  /** schema.org's Organization on its front page. */
  about?: object
  /** The people on its team page. */
  team?: string[]
}

const page = (title: string, body: string, head = '') => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head><title>${title}</title>${head}</head><body><main>${body}</main></body></html>`,
})

/** A company's site: a front page, a list of news and an article per event. */
export function siteOf({ name, events = {}, about, team }: Site): Host {
  const articles = Object.entries(events).map(([signal, ago]) => ({
    path: `/news/${signal}`,
    day: day(ago),
    ...EVENTS[signal as keyof typeof EVENTS](name),
  }))
  const head = about
    ? `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Organization', name, ...about })}</script>`
    : ''
  return ({ url }) => {
    const links = `<a href="/news">News</a>${team ? '<a href="/team">Our team</a>' : ''}`
    if (url.pathname === '/') return page(`${name} | Home`, `<p>${name} makes things.</p>${links}`, head)
    if (url.pathname === '/team' && team)
      return page(
        'Our team',
        team.map((one) => `<div class="person"><h3>${one}</h3><p>Chief Executive Officer</p></div>`).join(''),
      )
    if (url.pathname === '/news')
      return page(
        'News',
        articles.map(({ path, title }) => `<article><h2><a href="${path}">${title}</a></h2></article>`).join(''),
      )
    const article = articles.find(({ path }) => path === url.pathname)
    return article
      ? page(
          article.title,
          `<h1>${article.title}</h1><time datetime="${article.day}">${article.day}</time><p>${article.text}</p>`,
        )
      : { status: 404 }
  }
}
