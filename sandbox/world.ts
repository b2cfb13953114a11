import type { Filing, Outage, SandboxPosting, Story } from './types.ts'
import { articleOf, buildWorld } from './world/build.ts'
import { postingsOf } from './world/openings.ts'
import { peopleOf, slugOf } from './world/people.ts'
import { releasesOf } from './world/releases.ts'
import type { Article, ArticleSeed, Fault, Judgement, SiteCompany, StandingPage, WorldState } from './world/types.ts'

/** An article to publish. `text` is as in a seed: paragraphs separated by an empty line, `{date}` for its day. */
export type NewArticle = Omit<ArticleSeed, 'slug' | 'days'> & { slug?: string; published?: string }

export type CompanyChange = {
  /** Lines `Name, Title [email, profile, +1 …]`. */
  join?: string
  /** Full names. */
  leave?: readonly string[]
  /**
   * Lines `Title, Department, days since published`: on the company's job board if it has one, otherwise on its careers
   * page.
   */
  open?: string
  /** Titles of openings. */
  close?: readonly string[]
  /** Technologies whose tags are added to all pages, and those whose tags are removed. */
  use?: readonly string[]
  drop?: readonly string[]
  /** A paragraph to add to a page. */
  note?: { page: StandingPage; text: string }
}

export type NewStory = Omit<Story, 'id' | 'points' | 'published'> &
  Judgement & { id?: string; points?: number; published?: string }

/** The sandbox's world and its time machine. Throws for an unknown domain. */
export type LiveWorld = WorldState & {
  company: (domain: string) => SiteCompany
  /** Publishes an article: its page, the index, the home page, the feed and the sitemap show it from now on. */
  publish: (domain: string, article: NewArticle) => { url: string; article: Article }
  /** Changes people, openings or a standing page. */
  change: (domain: string, change: CompanyChange) => void
  /** Moves a person between companies: off one team page, on the other, and announced by the new company. */
  move: (full_name: string, from: string, to: string, title: string) => { url: string; article: Article }
  /** Redeploys the site: new file names and dates on every page, and no new content. */
  redeploy: (domain: string) => void
  /** Makes the site fail in this way; null makes it recover. */
  fault: (domain: string, fault: Fault | null) => void
  drop: (domain: string) => void
  restore: (domain: string) => void
  /** Makes a vendor fail in this way; null makes it recover. */
  outage: (vendor: string, outage: Outage | null) => void
  /** Publishes a story on a news site. */
  publishStory: (story: NewStory) => void
  file: (filing: Omit<Filing, 'cik' | 'company'> & Judgement & { domain: string }) => void
}

export type WorldOptions = {
  /** `YYYY-MM-DD`; the reference day of the ages in the manifest. */
  today?: string
  slowMs?: number
}

export function createWorld({
  today = new Date().toISOString().slice(0, 10),
  slowMs = 1500,
}: WorldOptions = {}): LiveWorld {
  const state = buildWorld(today, slowMs)
  // A world may be created for a future day.
  let last =
    Math.max(...state.companies.flatMap(({ articles }) => articles.map(({ modified }) => modified.getTime()))) / 1000

  /** Never the same second twice: Last-Modified has a resolution of seconds, and a change must be visible in it. */
  function moment(): Date {
    last = Math.max(Math.floor(Date.now() / 1000), last + 1)
    return new Date(last * 1000)
  }

  function company(domain: string): SiteCompany {
    const found = state.companies.find((each) => each.domain === domain)
    if (!found) throw new Error(`The sandbox has no company at ${domain}.`)
    return found
  }

  function put(domain: string, fields: Partial<SiteCompany>): void {
    const index = state.companies.indexOf(company(domain))
    state.companies[index] = { ...company(domain), ...fields }
  }

  function mark(domain: string, page: StandingPage): void {
    put(domain, { changed: { ...company(domain).changed, [page]: moment() } })
  }

  function setOpenings(domain: string, alter: (now: readonly SandboxPosting[]) => SandboxPosting[]): void {
    const { job_board, openings } = company(domain)
    // A job board is on the vendor's site, so the company's page does not change.
    if (job_board) put(domain, { job_board: { ...job_board, postings: alter(job_board.postings) } })
    else {
      put(domain, { openings: alter(openings) })
      mark(domain, 'careers')
    }
  }

  return Object.assign(state, {
    company,
    publish(domain: string, { published = today, ...given }: NewArticle) {
      const publisher = company(domain)
      const slug = given.slug ?? slugOf(given.title).slice(0, 60)
      if (publisher.articles.some((article) => article.slug === slug)) {
        throw new Error(`${domain} has already published ${slug}.`)
      }
      const article = articleOf({ ...given, slug }, published, publisher, moment())
      put(domain, {
        articles: [...publisher.articles, article],
        site: { ...publisher.site, blog: publisher.site.blog || article.section === 'blog' },
      })
      state.releases.push(...releasesOf({ ...publisher, articles: [article] }))
      return { url: siteUrl(publisher, article.path), article }
    },
    change(domain: string, { join, leave, open, close, use, drop, note }: CompanyChange) {
      if (join || leave) {
        const stay = company(domain).people.filter(({ full_name }) => !leave?.includes(full_name))
        put(domain, { people: [...stay, ...(join ? peopleOf(join, domain) : [])] })
        mark(domain, 'team')
      }
      if (open || close) {
        setOpenings(domain, (now) => [
          ...now.filter(({ title }) => !close?.includes(title)),
          ...(open ? postingsOf(open, company(domain), today) : []),
        ])
      }
      if (use || drop) {
        const { technologies = [], build } = company(domain)
        const kept = technologies.filter((name) => !drop?.includes(name))
        put(domain, { technologies: [...kept, ...(use ?? [])], build: { number: build.number + 1, at: moment() } })
      }
      if (note) {
        const { notes } = company(domain)
        put(domain, { notes: { ...notes, [note.page]: [...(notes[note.page] ?? []), note.text] } })
        mark(domain, note.page)
      }
    },
    move(full_name: string, from: string, to: string, title: string) {
      const [left, joined] = [company(from), company(to)]
      const before = left.people.find((person) => person.full_name === full_name)
      if (!before) throw new Error(`Nobody at ${from} is called ${full_name}.`)
      this.change(from, { leave: [full_name] })
      this.change(to, { join: `${before.shown_as}, ${title}${before.network_url ? ' [profile]' : ''}` })
      return this.publish(to, {
        title: `${joined.name} appoints ${full_name} as ${title}`,
        event: `${slugOf(full_name)}-${slugOf(joined.name)}`,
        tells: ['leadership_change'],
        text: `
${joined.city}, {date} – ${joined.name} today announced that it has appointed ${full_name} as ${title}, effective immediately.

${full_name.split(' ').at(-1)} joins from ${left.name}, where the role was that of ${before.title}.`,
      })
    },
    redeploy(domain: string) {
      put(domain, { build: { number: company(domain).build.number + 1, at: moment() } })
    },
    fault(domain: string, fault: Fault | null) {
      put(domain, { site: { ...company(domain).site, fault } })
    },
    drop(domain: string) {
      put(domain, { site: { ...company(domain).site, fault: 'drop' } })
    },
    restore(domain: string) {
      put(domain, { site: { ...company(domain).site, fault: null } })
    },
    outage(vendor: string, outage: Outage | null) {
      if (outage) state.outages[vendor] = outage
      else delete state.outages[vendor]
    },
    publishStory(story: NewStory) {
      company(story.about)
      state.stories.push({ id: String(49_000_000 + state.stories.length), points: 1, published: today, ...story })
    },
    file(filing: Omit<Filing, 'cik' | 'company'> & Judgement & { domain: string }) {
      const { cik, name } = company(filing.domain)
      if (!cik) throw new Error(`${filing.domain} does not file with the regulator.`)
      state.filings.push({ ...filing, cik, company: `${name}, Inc.` })
    },
  })
}

/** The URL of a page of a company's site. */
export function siteUrl({ domain, site }: Pick<SiteCompany, 'domain' | 'site'>, path: string): string {
  return `https://${site.www ? 'www.' : ''}${domain}${path}`
}
