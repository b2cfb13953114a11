import type { SandboxPosting } from '../types.ts'
import { registrationsOf } from '../world/registers.ts'
import type { Article, SiteCompany, StandingPage } from '../world/types.ts'
import { escapeHtml, paragraphs } from './html.ts'
import { THEMES } from './more-themes.ts'
import { changedAt, latest, layoutOf } from './pages.ts'
import { jobPosting, newsArticle, organization, person } from './structured-data.ts'
import { profileOf, profilePath, teamOf } from './team.ts'
import type { PageContent } from './themes.ts'

export type Page = { content: PageContent; modified: Date }

/** The page of a site at a path; null when there is none. */
export function pageAt(company: SiteCompany, path: string): Page | null {
  const { paths } = layoutOf(company)
  const plain = trimmed(path)
  const standing = (Object.keys(STANDING) as StandingPage[]).find((page) => trimmed(paths[page]) === plain)
  if (standing && (standing !== 'pricing' || company.site.pricing)) return standingPage(company, standing)
  if (plain === trimmed(company.site.news)) return indexPage(company, 'news', company.site.news)
  if (company.site.blog && plain === trimmed(paths.blog)) return indexPage(company, 'blog', paths.blog)
  const article = company.articles.find((each) => trimmed(each.path) === plain)
  if (article) return articlePage(company, article)
  const opening = company.openings.find(({ id }) => plain === `${trimmed(paths.careers)}/${id}`)
  if (opening) return openingPage(company, opening, path)
  return company.site.team === 'profiles' ? profilePage(company, plain) : null
}

const trimmed = (path: string): string => path.replace(/\/$/, '')

const page = (company: SiteCompany, content: Partial<PageContent> & Pick<PageContent, 'path' | 'title' | 'main'>) => ({
  description: company.description,
  json_ld: [],
  ...content,
})

const STANDING: Record<StandingPage, (company: SiteCompany) => { main: string; json_ld: object[]; props?: object }> = {
  home: (company) => ({
    main: `<h1>${escapeHtml(company.description)}</h1>
${paragraphs([company.boilerplate])}
<h2>${layoutOf(company).labels.news}</h2>
${THEMES[company.site.theme].index(company, latest(company).slice(0, 3))}`,
    json_ld: [organization(company)],
  }),
  about: (company) => ({
    main: `<h1>${title(company, 'about')}</h1>\n${paragraphs(facts(company))}`,
    json_ld: [organization(company)],
  }),
  team: (company) => ({
    main: `<h1>${title(company, 'team')}</h1>\n${teamOf(company)}`,
    json_ld: company.site.team === 'json-ld' ? company.people.map((each) => person(company, each)) : [],
    props: { people: company.people.map(({ shown_as, title }) => ({ name: shown_as, role: title })) },
  }),
  careers: (company) => ({ main: `<h1>${title(company, 'careers')}</h1>\n${careers(company)}`, json_ld: [] }),
  pricing: (company) => ({ main: `<h1>${title(company, 'pricing')}</h1>\n${PRICES}`, json_ld: [] }),
}

const title = (company: SiteCompany, name: StandingPage): string =>
  name === 'home' ? company.name : layoutOf(company).labels[name]

function standingPage(company: SiteCompany, name: StandingPage): Page {
  const { main, ...rest } = STANDING[name](company)
  const notes = company.notes[name] ?? []
  return {
    content: page(company, {
      path: layoutOf(company).paths[name],
      title: title(company, name),
      main: notes.length > 0 ? `${main}\n${paragraphs(notes)}` : main,
      ...rest,
    }),
    modified: changedAt(company, [name], name === 'home' ? latest(company).slice(0, 3) : []),
  }
}

function facts(company: SiteCompany): string[] {
  const { name, site, description, boilerplate, founded_year, city, country, employees, industry } = company
  const [record] = registrationsOf(company, 1)
  const place = record && `${record.street}, ${record.postal_code} ${record.city}`
  if (site.language === 'de') {
    return [
      description,
      boilerplate,
      `${record?.legal_name}, ${place}. Registernummer ${record?.number}.`,
      `Gegründet ${founded_year}, Sitz in ${city}, rund ${employees} Beschäftigte.`,
    ]
  }
  return [
    description,
    boilerplate,
    `We have been around since ${founded_year}. Our head office is in ${city}, ${country}, and there are about ${employees.toLocaleString('en')} of us.`,
    `Industry: ${industry}. Questions about ${name}? Our switchboard is staffed on weekdays from nine to five.`,
    `${record?.legal_name}, registered number ${record?.number}. Registered office: ${place}.`,
  ]
}

const BOARDS = {
  greenhouse: (token: string) => `https://boards.greenhouse.io/${token}`,
  lever: (token: string) => `https://jobs.lever.co/${token}`,
  ashby: (token: string) => `https://jobs.ashbyhq.com/${token}`,
  smartrecruiters: (token: string) => `https://careers.smartrecruiters.com/${token}`,
  workable: (token: string) => `https://apply.workable.com/${token}/`,
  recruitee: (token: string) => `https://${token}.recruitee.com/`,
  personio: (token: string) => `https://${token}.jobs.personio.de/`,
  teamtailor: (token: string) => `https://${token}.teamtailor.com/`,
  workday: (token: string) => `https://${token.replace('/', '.myworkdayjobs.com/')}`,
}

export const boardUrl = ({ vendor, token }: NonNullable<SiteCompany['job_board']>): string => BOARDS[vendor](token)

function careers(company: SiteCompany): string {
  const { job_board, openings, domain, site, articles } = company
  const culture =
    site.language === 'de'
      ? 'Bei uns zählt, wer Bescheid weiß, nicht wer zuerst redet.'
      : 'We like people who finish what they start and say so when they cannot.'
  if (job_board) {
    return `${paragraphs([culture])}\n<p><a class="button" href="${boardUrl(job_board)}">See our open positions</a></p>`
  }
  if (openings.length > 0) {
    const base = trimmed(layoutOf(company).paths.careers)
    const items = openings.map(
      ({ id, title, department, city }) =>
        `<li><a href="${base}/${id}">${escapeHtml(title)}</a> <span>${escapeHtml(department)}, ${escapeHtml(city)}</span></li>`,
    )
    return `${paragraphs([culture])}\n<h2>Open positions</h2>\n<ul class="openings">\n${items.join('\n')}\n</ul>`
  }
  if (site.language === 'de') return paragraphs([culture, 'Derzeit sind alle Stellen besetzt.'])
  if (articles.some(({ tells }) => tells?.includes('hiring'))) {
    return paragraphs([culture, `Please send your application to jobs@${domain}.`])
  }
  return paragraphs([culture, 'There are no open positions at the moment.'])
}

const PRICES = `<table><thead><tr><th></th><th>Starter</th><th>Team</th><th>Enterprise</th></tr></thead>
<tbody><tr><td>Per user and month</td><td>$19</td><td>$49</td><td>Talk to us</td></tr>
<tr><td>Users</td><td>up to 5</td><td>up to 100</td><td>any number</td></tr>
<tr><td>Single sign-on</td><td>no</td><td>yes</td><td>yes</td></tr></tbody></table>`

function indexPage(company: SiteCompany, section: Article['section'], path: string): Page {
  const articles = latest(company, section)
  const { labels } = layoutOf(company)
  const none = company.site.language === 'de' ? 'Keine Meldungen.' : 'Nothing here yet.'
  const list = articles.length > 0 ? THEMES[company.site.theme].index(company, articles) : paragraphs([none])
  return {
    content: page(company, {
      path,
      title: labels[section],
      main: `<h1>${labels[section]}</h1>\n${list}`,
      props: { items: articles.map(({ title, published, path }) => ({ title, date: published, href: path })) },
    }),
    modified: changedAt(company, [], articles),
  }
}

function articlePage(company: SiteCompany, article: Article): Page {
  return {
    content: page(company, {
      path: article.path,
      title: article.title,
      description: article.paragraphs[0] ?? company.description,
      main: THEMES[company.site.theme].article(company, article),
      article,
      json_ld: [newsArticle(company, article)],
      props: { article: { slug: article.slug, publishedAt: `${article.published}T08:15:00.000Z` } },
    }),
    modified: changedAt(company, [], [article]),
  }
}

function openingPage(company: SiteCompany, posting: SandboxPosting, path: string): Page {
  return {
    content: page(company, {
      path,
      title: posting.title,
      main: `<h1>${escapeHtml(posting.title)}</h1>\n<p>${escapeHtml(posting.department)}, ${escapeHtml(posting.city)}</p>\n${paragraphs(posting.text.split('\n\n'))}`,
      json_ld: [jobPosting(company, posting)],
    }),
    modified: new Date(`${posting.published}T08:00:00Z`),
  }
}

function profilePage(company: SiteCompany, path: string): Page | null {
  const found = company.people.find((each) => profilePath(each) === path)
  if (!found) return null
  return {
    content: page(company, {
      path,
      title: found.shown_as,
      main: profileOf(found),
      json_ld: [person(company, found)],
    }),
    modified: changedAt(company, ['team'], []),
  }
}
