import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobBoardVendor, SandboxCompany } from '../sandbox/types.ts'
import { COMPANIES_HOUSE_KEY, COMPANIES_HOUSE_STREAM_KEY } from '../sandbox/vendors/companies-house.ts'
import { statuspage } from '../sandbox/vendors/statuspage.ts'
import { SOURCE_NAMES } from '../src/config/source-names.ts'
import { JOB_BOARDS } from '../src/providers/job-boards/index.ts'
import type { CheckedSource } from '../src/research/check-sources.ts'
import { commands } from './support/commands.ts'
import { boardToken, company, daysAgo, posting, softwareOfAcme, toldOfAcme } from './support/vendors.ts'
import { testWorld } from './support/world.ts'

const vendors = Object.keys(JOB_BOARDS) as JobBoardVendor[]
const boards = vendors.map((vendor) => {
  const job_board = { vendor, token: boardToken(vendor, 'acme'), postings: [posting('1001')] }
  return company(`At ${vendor}`, { job_board })
})
const acme = company('Acme Robotics', { wikidata: { id: 'Q1', employees: 250 }, cik: 1001 })
const { github, status_page } = softwareOfAcme() as Required<Pick<SandboxCompany, 'github' | 'status_page'>>
const software = company('GitHub', {
  github: { ...github, login: 'github', blog: 'https://github.com/about' },
  status_page: { ...status_page, name: 'GitHub', host: 'www.githubstatus.com' },
})
const published = daysAgo(3)
const { stories, filings } = toldOfAcme()
const report = {
  ...{ cik: 1002, company: 'HALDEN CORP.', form: '8-K', accession: '0001002-26-000001', filed: published },
  ...{ document: 'main.htm', text: 'Item 1.05 Material Cybersecurity Incidents.' },
}
const { env, world, internet } = await testWorld({
  sites: {
    'acmerobotics.example': { '/': '<title>Acme</title><main>Acme Robotics builds robots.</main>' },
    'news.example': {
      '/1': '<title>News</title><article><p>Acme Robotics has raised $20 million.</p></article>',
    },
    'www.githubstatus.com': (request) => statuspage.answer(request, world),
  },
  records: {
    companies: [acme, software, ...boards],
    registered: [
      {
        ...{ legal_name: 'ACME ROBOTICS LIMITED', lei: '5493001KJTIIGC8Y1R12', number: '01234567', country_code: 'GB' },
        ...{ street: '12 Forge Lane', city: 'Leeds', postal_code: 'LS1 4AB' },
      },
    ],
    register_filings: [10, 11].map((timepoint) => ({
      ...{
        timepoint,
        company: '01234567',
        id: `filing-${timepoint}`,
        category: 'officers',
        type: 'AP01',
        day: published,
      },
      description: 'appoint-person-director-company-with-name-date',
      values: { officer_name: 'Jane Doe', appointment_date: published },
    })),
    stories,
    filings: [...filings, report],
    releases: [
      {
        ...{ id: '3000001', company: 'Acme Robotics, Inc.', title: 'Acme Robotics wins an order', published },
        ...{ summary: 'An order.', paragraphs: ['An order.'], signals: ['customer_win', 'acquisition'], site: null },
      },
    ],
    awards: (['usaspending', 'ted', 'nih-reporter'] as const).map((by) => ({
      ...{ by, id: by === 'ted' ? '1000-2026' : '1000', recipient: 'ACME ROBOTICS, INC.', amount: 4_200_000 },
      ...{ agency: 'Department of Energy', day: published, description: 'ROBOTS' },
    })),
    notices: (['TX', 'OR', 'IN', 'TN', 'WA'] as const).map((state) => ({
      ...{ state, company: 'Acme Robotics, Inc.', place: 'Austin', people: 120, noticed: published },
      starts: '2031-12-01',
    })),
  },
})
const setting = { ...env, OUTBOUND_CONTACT: 'ops@team.example' }
const { cli } = commands(setting)
const everything = { SOURCES: SOURCE_NAMES.join(','), COMPANIES_HOUSE_KEY, COMPANIES_HOUSE_STREAM_KEY }
const about = ['--company', 'Acme Robotics', '--domain', 'acmerobotics.example']
const tokens = vendors.flatMap((vendor) => ['--board', `${vendor}:${boardToken(vendor, 'acme')}`])

test('every source is asked once and listed with its first item, without a database', async () => {
  const { cli } = commands({ ...setting, ...everything })
  const { code, output } = await cli('sources', 'check', ...about, ...tokens, '--json')
  assert.equal(code, 0, output)
  const checked = JSON.parse(output) as CheckedSource[]
  const of = (name: string) => checked.find(({ source }) => source === name)
  const unread = checked.filter(({ outcome }) => outcome !== 'items').map(({ source, outcome }) => [source, outcome])
  assert.deepEqual(unread, [])
  assert.deepEqual(
    [
      'GLEIF',
      'Workday',
      'Wikidata',
      'GlobeNewswire',
      'SEC EDGAR',
      'SEC EDGAR (stream)',
      'Company web sites',
      'GitHub',
    ].map((name) => of(name)?.first),
    [
      ...['ACME ROBOTICS LIMITED', 'Account Executive', 'Acme Robotics', 'Acme Robotics wins an order'],
      'Acme Robotics: Form D: notice of an exempt offering of securities',
      'Halden Corp.: Form 8-K: current report on a material cybersecurity incident',
      ...['Acme', 'Arm 2.0 · github/arm'],
    ],
  )
  assert.ok(checked.every(({ ms }) => ms !== null))
})

test('a source that is down, and one whose board is not known, are reported, and the command fails', async () => {
  world.outages = { ted: 'error', greenhouse: 'misshapen', workable: 'drop' }
  const { code, output } = await cli('sources', 'check', ...about, '--board', 'greenhouse:acme')
  world.outages = {}
  assert.equal(code, 6, output)
  assert.match(output, /^\d+ of \d+: TED$/m)
  assert.match(output, /^TED +failed +- +\d/m)
  assert.match(output, /^failed: TED responded with status 500\.$/m)
  assert.match(output, /^failed: Greenhouse failed: unexpected response format\.$/m)
  assert.match(output, /^Hacker News +items +1 +\d/m)
  assert.match(output, /^unchecked: Personio: No board is known to read: name one with --board personio:<company>\.$/m)
  assert.match(output, /^failed: Workable: /m)
  assert.match(output, /^off: GDELT: It is switched off\. .* can add gdelt to SOURCES\.$/m)
  assert.match(output, /^off: Companies House: .*COMPANIES_HOUSE_KEY/m)
})

test('without a board, only the robots.txt of a host that all companies share is read, and that is what is reported', async () => {
  const from = internet.requests.length
  const { output } = await cli('sources', 'check', ...about)
  assert.match(output, /^allowed: Workable: Its robots\.txt allows reading; no board was requested/m)
  const asked = internet.requests.slice(from).map(({ url }) => url)
  assert.deepEqual(
    asked.filter((url) => url.includes('workable')),
    ['https://apply.workable.com/robots.txt'],
  )
  assert.equal((await cli('sources', 'check', '--board', 'nowhere:acme')).code, 2)
})
