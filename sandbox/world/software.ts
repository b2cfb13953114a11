import type { SandboxCompany, SandboxOrganisation } from '../types.ts'
import { shift } from './dates.ts'
import type { Judgement } from './types.ts'

/** Days before the world's today stand in place of dates. */
type RepositorySeed = {
  name: string
  description: string | null
  created: number
  pushed: number
  stars: number
  fork?: boolean
  releases?: readonly (Judgement & { tag: string; title: string; days: number; body: string; prerelease?: boolean })[]
}
type IncidentSeed = Judgement & {
  id: string
  name: string
  impact: 'minor' | 'major' | 'critical'
  days: number
  updates: readonly string[]
}
type SoftwareSeed = Pick<SandboxCompany, 'technologies' | 'records'> & {
  github?: Pick<SandboxOrganisation, 'login' | 'name' | 'blog'> & { repositories: readonly RepositorySeed[] }
  status_page?: { host: string; name: string; incidents: readonly IncidentSeed[] }
}

/** What companies use, publish as source code and tell of outages, by domain. */
const SOFTWARE: Readonly<Record<string, SoftwareSeed>> = {
  'halden-robotics.example': {
    technologies: ['HubSpot'],
    records: { txt: ['atlassian-domain-verification=sbx0002'] },
  },
  'fathomly.example': {
    technologies: ['Google Tag Manager', 'Intercom', 'Segment', 'a font'],
    github: {
      login: 'fathomly',
      name: 'Fathomly',
      blog: 'fathomly.example',
      repositories: [
        {
          name: 'fathom-agent',
          description: 'The agent that collects crashes for Fathomly.',
          created: 1_400,
          pushed: 2,
          stars: 2_310,
          releases: [
            {
              tag: 'v3.0.1',
              title: 'v3.0.1',
              days: 5,
              body: '## What’s Changed\n* Fix a crash when the clock jumps by @sandbox-octopus in https://github.com/fathomly/fathom-agent/pull/412',
            },
            {
              tag: 'v3.0.0',
              title: 'Fathomly Agent 3.0',
              days: 11,
              arguable: ['product_launch'],
              body: 'Today Fathomly launches Fathomly Agent 3.0, the first agent that explains crashes on the device itself.\n\n* Explanations without a connection, by @sandbox-octopus in https://github.com/fathomly/fathom-agent/pull/388\n* Half the memory',
            },
            { tag: 'v3.0.0-rc1', title: 'v3.0.0-rc1', days: 30, prerelease: true, body: 'Release candidate.' },
          ],
        },
        {
          name: 'symbol-store',
          description: 'Keeps symbols of mobile apps in any object store.',
          created: 20,
          pushed: 3,
          stars: 41,
        },
        {
          name: 'minidump',
          description: 'A copy of somebody else’s work.',
          created: 9,
          pushed: 9,
          stars: 0,
          fork: true,
        },
      ],
    },
    status_page: {
      host: 'status.fathomly.example',
      name: 'Fathomly',
      incidents: [
        {
          id: 'k3l9wq0c4z7d',
          name: 'Delayed crash reports',
          impact: 'major',
          days: 7,
          updates: [
            'We are investigating crash reports that appear with a delay of up to 40 minutes.',
            'A database in one region was overloaded. We have added capacity.',
            'All reports have been processed. No data was lost.',
          ],
        },
      ],
    },
  },
  'verrano.example': {
    technologies: ['HubSpot', 'Zendesk', 'Stripe'],
    records: {
      mx: 'aspmx.l.google.com',
      txt: ['v=spf1 include:_spf.google.com include:sendgrid.net ~all', 'atlassian-domain-verification=sbx0001'],
    },
    status_page: {
      host: 'verrano.statuspage.io',
      name: 'Verrano Status',
      incidents: [
        {
          id: 'p1x7hv2m8b5t',
          name: 'Unauthorised access to customer data',
          impact: 'critical',
          days: 9,
          arguable: ['security_incident'],
          updates: [
            'Verrano has identified unauthorised access to one of its storage systems. We have closed it and are investigating.',
            'Attackers gained access to names and email addresses of about 1,200 Verrano customers. Verrano has informed them and the authorities about the data breach.',
          ],
        },
        {
          id: 'c0d4ny6r2f8s',
          name: 'Devices in Barcelona not reachable',
          impact: 'minor',
          days: 25,
          updates: ['Some devices cannot be reached because of a failed switch.', 'The switch was replaced.'],
        },
      ],
    },
  },
}

/** The same for the company at a domain, with dates. */
export function softwareOf(domain: string, today: string): Partial<SandboxCompany> {
  const { technologies, records, github, status_page } = SOFTWARE[domain] ?? {}
  return {
    ...(technologies && { technologies }),
    ...(records && { records }),
    ...(github && {
      github: { ...github, repositories: github.repositories.map((each) => repositoryOf(each, today)) },
    }),
    ...(status_page && {
      status_page: {
        ...status_page,
        incidents: status_page.incidents.map(({ days, ...rest }) => ({ ...rest, created: shift(today, -days) })),
      },
    }),
  }
}

function repositoryOf({ created, pushed, releases = [], ...rest }: RepositorySeed, today: string) {
  return {
    ...rest,
    created: shift(today, -created),
    pushed: shift(today, -pushed),
    releases: releases.map(({ days, ...release }) => ({ ...release, published: shift(today, -days) })),
  }
}

/** What these pages tell, for the manifest. */
export function softwareReports({ github, status_page }: Pick<SandboxCompany, 'github' | 'status_page'>) {
  const releases = (github?.repositories ?? []).flatMap(({ name, releases }) =>
    releases.map((release) => ({
      judgement: release as Judgement,
      url: `https://github.com/${github?.login}/${name}/releases/tag/${release.tag}`,
      says: release.title,
      published: release.published,
    })),
  )
  const incidents = (status_page?.incidents ?? []).map((incident) => ({
    judgement: incident as Judgement,
    url: `https://${status_page?.host}/incidents/${incident.id}`,
    says: incident.name,
    published: incident.created,
  }))
  return [...releases, ...incidents]
}
