import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { abortOnDisconnect } from '../http/abort-on-disconnect.ts'
import { op, type Routes } from '../http/operation.ts'
import { clampPage, IdParams, PageQuery, toPage } from '../http/schema.ts'
import { countUniverseFacets } from '../research/discovery/facets.ts'
import { AppError } from '../shared/errors.ts'
import { MAX_CSV_ROWS } from './csv-file.ts'
import { parseImportOptions, previewAccountImport } from './preview.ts'
import {
  AccountImport,
  AccountsFile,
  AccountsPreview,
  CompanyFacets,
  CompanyImport,
  fileName,
  StartedImport,
} from './schema.ts'
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

/** Returns the body as a stream, and its format. Throws invalid_request for an empty body. */
function streamOf(request: FastifyRequest, kind: ImportKind) {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const format = FORMATS[type]
  // Requests without a body are not checked for a content type.
  if (!format) throw emptyBodyError(kind)
  const declared = Number(request.headers['content-length'] ?? 0)
  return { format, body: request.body as unknown as Readable, declared }
}

export const importRoutes: Routes = (app, deps) => {
  const { db } = deps

  /** Registers routes with a streamed body that is not JSON, in a separate Fastify scope. */
  const streaming = (kind: ImportKind, types: string[], routes: Routes) =>
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(types, (_request, payload, done) => done(null, payload))
      scope.addContentTypeParser('*', (_request, _payload, done) => {
        const message = `Send the ${kind} as ${types.join(', ')}, named in Content-Type.`
        done(new AppError('unsupported_media_type', message))
      })
      // An unread rest of the body makes the connection unusable for further requests.
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
        summary: 'Import companies for discovery',
        description: `CSV with a header line, or one JSON object per line, plain or compressed with gzip, up to ${MAX_UPLOAD_MEGABYTES.companies} MB; split larger files. The upload has no time limit while data arrives. Columns: domain (required), name, country, industry, employees, location, short_description, network_url, founded_year, under any usual name. For a known domain, the values of the file replace the stored ones. The response is sent when the whole file is stored; the import continues in the background.`,
        query: Type.Object({ file_name: fileName }),
        stream: Object.fromEntries(Object.entries(FORMATS).map(([type, format]) => [type, EXAMPLES[format]])),
        data: StartedImport,
        status: [202],
        admin: true,
        extension: true,
      }),
      (req) => {
        const { format, body, declared } = streamOf(req, 'companies')
        const file_name = req.query.file_name ?? null
        const upload: ImportUpload = { kind: 'companies', format, options: {}, file_name }
        return receiveUpload(deps, req.member.workspace_id, upload, body, declared)
      },
    )
  })

  streaming('accounts', ['text/csv'], (scope) => {
    scope.post(
      '/accounts/import/preview',
      op('previewAccountImport', {
        tag: 'Accounts',
        summary: 'Preview an import of accounts without storing anything',
        description: `CSV as saved by a spreadsheet, plain or compressed with gzip, up to ${MAX_UPLOAD_MEGABYTES.accounts} MB and ${MAX_CSV_ROWS} rows. Encoding, delimiter, header and columns are detected by header and content and returned, and can be set in the query. The domain of a company comes from its domain, its website or its email address, never from a page at a social network or an email provider.`,
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
        description: `Takes the same file and query as the preview. New accounts have the status \`new\` and the import in \`import\`, and are scored for fit at once; \`GET /accounts?import_id=\` lists them. A row of a known company changes nothing: by its domain, or by its name if it has no domain. The response is sent when the whole file is stored; the import continues in the background.`,
        query: AccountsFile,
        stream: { 'text/csv': ACCOUNTS_EXAMPLE },
        data: StartedImport,
        status: [202],
        extension: true,
      }),
      (req) => {
        const { body, declared } = streamOf(req, 'accounts')
        const { file_name = null, ...query } = req.query
        const upload: ImportUpload = { kind: 'accounts', format: 'csv', options: parseImportOptions(query), file_name }
        return receiveUpload(deps, req.member.workspace_id, upload, body, declared)
      },
    )
  })

  app.get(
    '/companies/facets',
    op('countCompanies', {
      tag: 'Companies',
      summary: 'Count the companies of the universe by country, industry and size',
      description: 'A company without a value for a facet is counted only in the total.',
      data: CompanyFacets,
      extension: true,
    }),
    (req) => countUniverseFacets(db, req.member.workspace_id),
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
      const page = clampPage(req.query)
      const { rows, count } = await listImports(db, req.member.workspace_id, 'companies', page)
      return toPage(rows, count, page)
    },
  )

  app.get(
    '/companies/imports/:id',
    op('getCompanyImport', {
      tag: 'Companies',
      summary: 'Read the progress of an import of companies',
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
      const page = clampPage(req.query)
      const { rows, count } = await listImports(db, req.member.workspace_id, 'accounts', page)
      return toPage(rows, count, page)
    },
  )

  app.get(
    '/accounts/imports/:id',
    op('getAccountImport', {
      tag: 'Accounts',
      summary: 'Read the progress of an import of accounts',
      params: IdParams,
      data: AccountImport,
      extension: true,
    }),
    (req) => getImport(db, req.member.workspace_id, 'accounts', req.params.id),
  )
}
