import type { Filing, SandboxRequest, SandboxResponse, Vendor, World } from '../types.ts'
import { escapeHtml, html, json } from './boards.ts'

/** EDGAR's search (efts), submissions (data) and archive (www). Requests without an email address are rejected. */
export const sec: Vendor = {
  name: 'sec',
  hosts: ['efts.sec.gov', 'data.sec.gov', 'www.sec.gov'],
  answer(request, world) {
    if (!/\S+@\S+\.\S+/.test(request.headers['user-agent'] ?? '')) {
      const body = '<html><body><h1>Your Request Originates from an Undeclared Automated Tool</h1></body></html>'
      return { status: 403, headers: { 'content-type': 'text/html' }, body }
    }
    const { hostname, pathname } = request.url
    if (hostname === 'efts.sec.gov' && pathname === '/LATEST/search-index') return search(request, world)
    if (hostname === 'data.sec.gov') return submissions(pathname, world)
    return archive(pathname, world)
  },
}

function search({ url }: SandboxRequest, world: World): SandboxResponse {
  const typed = url.searchParams.get('keysTyped')
  if (typed !== null) return json(200, found(registrants(world).filter(({ _source }) => begins(_source.entity, typed))))
  const parameters = Object.fromEntries(url.searchParams)
  const parameter = (name: string) => parameters[name] ?? ''
  const forms = parameter('forms').split(',')
  const phrase = parameter('q').replaceAll('"', '').toLowerCase()
  const from = Number(parameter('from'))
  if (from >= MAX_HITS) return json(500, { message: 'Internal server error' })
  const filings = world.filings.filter(({ form, filed, text }) => {
    const isInTime = filed >= parameter('startdt') && filed <= parameter('enddt')
    // An amendment matches its base form.
    const isAsked = forms.includes(form) || forms.includes(form.replace('/A', ''))
    return isInTime && isAsked && (phrase === '' || text.toLowerCase().includes(phrase))
  })
  const documents = filings.flatMap((filing) => {
    const main = { filing, document: filing.document, type: filing.form }
    return filing.exhibit ? [{ filing, document: EXHIBIT, type: 'EX-99.1' }, main] : main
  })
  return json(200, found(documents.slice(from, from + PER_PAGE).map(hit), documents.length))
}

/** The maximum number of hits that can be paged to, and the page size. */
const MAX_HITS = 10_000
const PER_PAGE = 100
const EXHIBIT = 'ex99-1.htm'

function hit({ filing, document, type }: { filing: Filing; document: string; type: string }): object {
  return {
    _index: 'edgar_file',
    _id: `${filing.accession}:${document}`,
    _source: {
      ciks: [padded(filing.cik)],
      display_names: [`${filing.company}  (CIK ${padded(filing.cik)})`],
      adsh: filing.accession,
      file_date: filing.filed,
      file_type: type,
      form: filing.form,
      root_forms: [filing.form.replace('/A', '')],
      sics: filing.industry ? [filing.industry] : [],
      items: itemsOf(filing),
    },
  }
}

function found(hits: unknown[], total = hits.length): object {
  const relation = total > MAX_HITS ? 'gte' : 'eq'
  return { took: 3, timed_out: false, hits: { total: { value: Math.min(total, MAX_HITS), relation }, hits } }
}

/** All registrants, as the search box suggests them. */
function registrants({ companies, filings }: World): { _id: string; _source: { entity: string; rank: number } }[] {
  const names = new Map<number, string>()
  for (const { cik, name } of companies) if (cik !== null) names.set(cik, name)
  for (const { cik, company } of filings) names.set(cik, company)
  return [...names].map(([cik, entity]) => ({ _id: String(cik), _source: { entity, tickers: '', rank: 1 } }))
}

function begins(entity: string, typed: string): boolean {
  return entity.toLowerCase().startsWith(typed.toLowerCase())
}

function submissions(pathname: string, world: World): SandboxResponse {
  const cik = Number(/^\/submissions\/CIK(\d{10})\.json$/.exec(pathname)?.[1])
  const filings = world.filings.filter((filing) => filing.cik === cik).sort((a, b) => b.filed.localeCompare(a.filed))
  const name = filings[0]?.company ?? world.companies.find((company) => company.cik === cik)?.name
  if (name === undefined) return { status: 404, headers: { 'content-type': 'application/xml' }, body: NO_SUCH_KEY }
  const list = (read: (filing: Filing) => unknown) => filings.map(read)
  const recent = {
    accessionNumber: list(({ accession }) => accession),
    filingDate: list(({ filed }) => filed),
    reportDate: list(({ filed }) => filed),
    form: list(({ form }) => form),
    items: list((filing) => itemsOf(filing).join(',')),
    primaryDocument: list(({ form, document }) => (isNotice(form) ? `xslFormDX01/${document}` : document)),
    primaryDocDescription: list(({ form }) => form),
  }
  return json(200, {
    cik: padded(cik),
    entityType: 'operating',
    name,
    sic: filings.find(({ industry }) => industry)?.industry ?? '',
    tickers: [],
    exchanges: [],
    website: '',
    filings: { recent, files: [] },
  })
}

const NO_SUCH_KEY =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>'

function archive(pathname: string, { filings }: World): SandboxResponse {
  const [, cik, accession, rendered, document] =
    /^\/Archives\/edgar\/data\/(\d+)\/(\d+)\/(xsl[^/]+\/)?([^/]+)$/.exec(pathname) ?? []
  const filing = filings.find(
    (one) =>
      one.cik === Number(cik) &&
      one.accession.replaceAll('-', '') === accession &&
      (one.document === document || (one.exhibit && document === EXHIBIT)),
  )
  if (!filing) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404 Not Found</h1>' }
  if (isNotice(filing.form) && !rendered) {
    return { status: 200, headers: { 'content-type': 'application/xml' }, body: notice(filing) }
  }
  const title = `${escapeHtml(filing.company)} ${filing.form}`
  const body = `<html><head><title>${title}</title></head><body>${html(document === EXHIBIT ? (filing.exhibit ?? '') : filing.text)}</body></html>`
  return { status: 200, headers: { 'content-type': 'text/html' }, body }
}

function notice({ cik, company, filed, text, offering, officers = [] }: Filing): string {
  const { sold = 0, offered = null, first_sale = null, industry = 'Other Technology' } = offering ?? {}
  return `<?xml version="1.0"?>
<edgarSubmission>
  <schemaVersion>X0708</schemaVersion>
  <submissionType>D</submissionType>
  <primaryIssuer>
    <cik>${padded(cik)}</cik>
    <entityName>${escapeHtml(company)}</entityName>
    <entityType>Corporation</entityType>
  </primaryIssuer>
  <relatedPersonsList>${officers.map(related).join('')}</relatedPersonsList>
  <offeringData>
    <industryGroup><industryGroupType>${escapeHtml(industry)}</industryGroupType></industryGroup>
    <typeOfFiling><dateOfFirstSale>${first_sale ? `<value>${first_sale}</value>` : '<yetToOccur>true</yetToOccur>'}</dateOfFirstSale></typeOfFiling>
    <typesOfSecuritiesOffered><isEquityType>true</isEquityType></typesOfSecuritiesOffered>
    <offeringSalesAmounts>
      <totalOfferingAmount>${offered ?? 'Indefinite'}</totalOfferingAmount>
      <totalAmountSold>${sold}</totalAmountSold>
      <clarificationOfResponse>${escapeHtml(text)}</clarificationOfResponse>
    </offeringSalesAmounts>
    <signatureBlock><signature><signatureDate>${filed}</signatureDate></signature></signatureBlock>
  </offeringData>
</edgarSubmission>`
}

function itemsOf({ form, text }: Filing): string[] {
  return form.startsWith('8-K')
    ? [...new Set([...text.matchAll(/\bItem (\d\.\d\d)/g)].map(([, item]) => item as string))]
    : []
}

function padded(cik: number): string {
  return String(cik).padStart(10, '0')
}

function related({ first, last, roles, clarification = '' }: NonNullable<Filing['officers']>[number]): string {
  const relationships = roles.map((role) => `<relationship>${escapeHtml(role)}</relationship>`).join('')
  return `
    <relatedPersonInfo>
      <relatedPersonName><firstName>${escapeHtml(first)}</firstName><lastName>${escapeHtml(last)}</lastName></relatedPersonName>
      <relatedPersonAddress><city>Austin</city><stateOrCountry>TX</stateOrCountry></relatedPersonAddress>
      <relatedPersonRelationshipList>${relationships}</relatedPersonRelationshipList>
      <relationshipClarification>${escapeHtml(clarification)}</relationshipClarification>
    </relatedPersonInfo>`
}

/** A Form D or its amendment: structured fields without text. */
const isNotice = (form: string) => form === 'D' || form === 'D/A'
