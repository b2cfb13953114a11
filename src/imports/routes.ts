import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { StoredImportOptions } from '../db/company-tables.ts'
import { abortOnDisconnect } from '../http/abort-on-disconnect.ts'
import { op, type Routes } from '../http/operation.ts'
import { clampPage, IdParams, PageQuery, toPage } from '../http/schema.ts'
import { universeFacets } from '../research/discovery/facets.ts'
import { AppError } from '../shared/errors.ts'
import { ACCOUNT_COLUMNS } from './columns.ts'
import { MAX_CSV_ROWS } from './csv-file.ts'
import { previewAccountImport } from './preview.ts'
import { AccountImport, AccountsFile, AccountsPreview, CompanyFacets, CompanyImport, StartedImport } from './schema.ts'
import { emptyBodyError, limitBody, MAX_UPLOAD_MEGABYTES, receiveUpload } from './upload.ts'
import { getImport, type ImportKind, type ImportUpload, listImports } from './upload-store.ts'

/** The format by its media type. */
const FORMATS: Record<string, ImportUpload['format']> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
}

const EXAMPLES: Record<ImportUpload['format'], string> = {
  csv: 'domain,name,country,industry,employees\nnorthwind.example,Northwind Freight,DE,Logistics,640\n',
  ndjson: '{"domain":"northwind.example","name":"Northwind Freight","country":"DE","employees":640}\n',
}
const ACCOUNTS_EXAMPLE = 'Company;Website;Owner\nNorthwind Freight;northwind.example;jo@team.example\n'

/** A body that is handed on as it comes, and its format. Throws invalid_request when there is none. */
function streamOf(request: FastifyRequest, kind: ImportKind) {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const format = FORMATS[type]
  // Without a body no type is asked for.
  if (!format) throw emptyBodyError(kind)
  const declared = Number(request.headers['content-length'] ?? 0)
  return { format, body: request.body as unknown as Readable, declared }
}

/** How a caller wants a file read. Throws invalid_request for a field that accounts do not have. */
function parseImportOptions({ column = [], tag, ...layout }: Static<typeof AccountsFile>): StoredImportOptions {
  const columns = Object.fromEntries(
    column.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1).trim()]
    }),
  )
  const unknown = Object.keys(columns).find((field) => !Object.hasOwn(ACCOUNT_COLUMNS, field))
  if (unknown !== undefined) {
    const message = `must not name ${unknown}, which is no field; there are: ${Object.keys(ACCOUNT_COLUMNS).join(', ')}`
    throw new AppError('invalid_request', `column ${message}.`, { details: [{ path: 'column', message }] })
  }
  return { ...layout, ...(tag ? { tag: tag.trim() } : {}), ...(column.length > 0 ? { columns } : {}) }
}

export const importRoutes: Routes = (app, deps) => {
  const { db } = deps

  /** Calls whose body is something else than JSON and is handed on as it comes, in a scope of their own. */
  const streaming = (kind: ImportKind, types: string[], routes: Routes) =>
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(types, (_request, payload, done) => done(null, payload))
      scope.addContentTypeParser('*', (_request, _payload, done) => {
        const message = `Send the ${kind} as ${types.join(', ')}, named in Content-Type.`
        done(new AppError('unsupported_media_type', message))
      })
      // Whoever stopped reading has left the rest of the body on the connection: nothing else can follow on it.
      scope.addHook('onSend', (request, reply, payload, done) => {
        if (!request.raw.complete) reply.header('connection', 'close')
        done(null, payload)
      })
      routes(scope as typeof app, deps)
    })

  streaming('companies', Object.keys(FORMATS), (scope) => {
    scope.post(
      '/companies/import',
      op('importCompanies', {
        tag: 'Companies',
        summary: 'Import companies for discovery to look into',
        description: `CSV with a header line, or one JSON object a line, plain or packed with gzip, up to ${MAX_UPLOAD_MEGABYTES.companies} MB, for as long as it keeps coming; a larger file is sent in parts. Columns: domain (needed), name, country, industry, employees, location, short_description, network_url, founded_year, under any usual name. A domain that is there already takes what the file says. The answer comes when the whole file is stored; the import goes on in the background.`,
        stream: Object.fromEntries(Object.entries(FORMATS).map(([type, format]) => [type, EXAMPLES[format]])),
        data: StartedImport,
        status: [202],
        admin: true,
        extension: true,
      }),
      (req) => {
        const { format, body, declared } = streamOf(req, 'companies')
        const upload: ImportUpload = { kind: 'companies', format, options: {} }
        return receiveUpload(deps, req.member.workspace_id, upload, body, declared)
      },
    )
  })

  streaming('accounts', ['text/csv'], (scope) => {
    scope.post(
      '/accounts/import/preview',
      op('previewAccountImport', {
        tag: 'Accounts',
        summary: 'Read a file of accounts as an import would, and store nothing',
        description: `CSV as any spreadsheet saves it, plain or packed with gzip, up to ${MAX_UPLOAD_MEGABYTES.accounts} MB and ${MAX_CSV_ROWS} rows. How it was saved, what separates its cells, whether its first line names the columns and what they are is guessed and answered, and can be said in the query.`,
        query: AccountsFile,
        stream: { 'text/csv': ACCOUNTS_EXAMPLE },
        data: AccountsPreview,
        extension: true,
        changesNothing: true,
      }),
      (req, reply) => {
        const { body, declared } = streamOf(req, 'accounts')
        const pieces = limitBody(body, 'accounts', declared)
        return previewAccountImport(
          deps,
          req.member.workspace_id,
          parseImportOptions(req.query),
          pieces,
          abortOnDisconnect(reply),
        )
      },
    )

    scope.post(
      '/accounts/import',
      op('importAccounts', {
        tag: 'Accounts',
        summary: 'Import accounts from a file',
        description: `The same file and query as for the preview. Accounts are suggested, and one whose domain is there already is left as it is. The answer comes when the whole file is stored; the import goes on in the background.`,
        query: AccountsFile,
        stream: { 'text/csv': ACCOUNTS_EXAMPLE },
        data: StartedImport,
        status: [202],
        extension: true,
      }),
      (req) => {
        const { body, declared } = streamOf(req, 'accounts')
        const upload: ImportUpload = { kind: 'accounts', format: 'csv', options: parseImportOptions(req.query) }
        return receiveUpload(deps, req.member.workspace_id, upload, body, declared)
      },
    )
  })

  app.get(
    '/companies/facets',
    op('countCompanies', {
      tag: 'Companies',
      summary: 'Count the companies of the universe by country, industry and size',
      description: 'What is not known of a company is counted in the total alone.',
      data: CompanyFacets,
      extension: true,
    }),
    (req) => universeFacets(db, req.member.workspace_id),
  )

  app.get(
    '/companies/imports',
    op('listCompanyImports', {
      tag: 'Companies',
      summary: 'List imports of companies, newest first',
      query: Type.Object(PageQuery(25)),
      page: CompanyImport,
      extension: true,
    }),
    async (req) => {
      const asked = clampPage(req.query)
      const { rows, count } = await listImports(db, req.member.workspace_id, 'companies', asked)
      return toPage(rows, count, asked)
    },
  )

  app.get(
    '/companies/imports/:id',
    op('getCompanyImport', {
      tag: 'Companies',
      summary: 'Read how far an import of companies has come',
      params: IdParams,
      data: CompanyImport,
      extension: true,
    }),
    (req) => getImport(db, req.member.workspace_id, 'companies', req.params.id),
  )

  app.get(
    '/accounts/imports',
    op('listAccountImports', {
      tag: 'Accounts',
      summary: 'List imports of accounts, newest first',
      query: Type.Object(PageQuery(25)),
      page: AccountImport,
      extension: true,
    }),
    async (req) => {
      const asked = clampPage(req.query)
      const { rows, count } = await listImports(db, req.member.workspace_id, 'accounts', asked)
      return toPage(rows, count, asked)
    },
  )

  app.get(
    '/accounts/imports/:id',
    op('getAccountImport', {
      tag: 'Accounts',
      summary: 'Read how far an import of accounts has come',
      params: IdParams,
      data: AccountImport,
      extension: true,
    }),
    (req) => getImport(db, req.member.workspace_id, 'accounts', req.params.id),
  )
}
