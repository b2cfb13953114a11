import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { AppError } from '../errors.ts'
import { op, type Routes } from '../http/operation.ts'
import { clampPage, IdParams, PageQuery, toPage } from '../http/schema.ts'
import { CompanyImport, StartedImport } from './schema.ts'
import { MAX_UPLOAD_BYTES, receiveCompanies } from './upload.ts'
import { getImport, listImports, type UploadFormat } from './upload-store.ts'

const tag = 'Companies'

/** The format by its media type. */
const FORMATS: Record<string, UploadFormat> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
}

const EXAMPLES: Record<UploadFormat, string> = {
  csv: 'domain,name,country,industry,employees\nnorthwind.example,Northwind Freight,DE,Logistics,640\n',
  ndjson: '{"domain":"northwind.example","name":"Northwind Freight","country":"DE","employees":640}\n',
}

export const importRoutes: Routes = (app, deps) => {
  const { db } = deps

  // In a scope of its own: only here a body is something else than JSON, and is handed on as it comes.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(Object.keys(FORMATS), (_request, payload, done) => done(null, payload))
    scope.addContentTypeParser('*', (_request, _payload, done) => {
      const message = `Send the companies as ${Object.keys(FORMATS).join(', ')}, named in Content-Type.`
      done(new AppError('unsupported_media_type', message))
    })
    scope.post(
      '/companies/import',
      op('importCompanies', {
        tag,
        summary: 'Import companies for discovery to look into',
        description: `CSV with a header line, or one JSON object a line, plain or packed with gzip, up to ${MAX_UPLOAD_BYTES / 1024 / 1024} MB, for as long as it keeps coming; a larger file is sent in parts. Columns: domain (needed), name, country, industry, employees, location, short_description, network_url, founded_year, under any usual name. A domain that is there already takes what the file says. The answer comes when the whole file is stored; the import goes on in the background.`,
        stream: Object.fromEntries(Object.entries(FORMATS).map(([type, format]) => [type, EXAMPLES[format]])),
        data: StartedImport,
        status: [202],
        admin: true,
        extension: true,
      }),
      (req) => {
        const type = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
        const format = FORMATS[type]
        // Without a body no type is asked for.
        if (!format) throw new AppError('invalid_request', 'The body is empty. Send the companies in it.')
        const body = req.body as unknown as Readable
        return receiveCompanies(deps, req.member.workspace_id, format, body, Number(req.headers['content-length'] ?? 0))
      },
    )
  })

  app.get(
    '/companies/imports',
    op('listCompanyImports', {
      tag,
      summary: 'List imports of companies, newest first',
      query: Type.Object(PageQuery(25)),
      page: CompanyImport,
      extension: true,
    }),
    async (req) => {
      const asked = clampPage(req.query)
      const { rows, count } = await listImports(db, req.member.workspace_id, asked)
      return toPage(rows, count, asked)
    },
  )

  app.get(
    '/companies/imports/:id',
    op('getCompanyImport', {
      tag,
      summary: 'Read how far an import of companies has come',
      params: IdParams,
      data: CompanyImport,
      extension: true,
    }),
    (req) => getImport(db, req.member.workspace_id, req.params.id),
  )
}
