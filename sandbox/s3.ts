import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { signRequest } from '../src/backup/s3.ts'

export const S3_KEY = {
  BACKUP_S3_ACCESS_KEY_ID: 'sandbox-access-key',
  BACKUP_S3_SECRET_ACCESS_KEY: 'sandbox/secret+key',
}

export type Bucket = AsyncDisposable & {
  /** Settings of a service that stores its backups here, under this folder. */
  env: (folder: string) => Record<string, string>
  objects: Map<string, Buffer>
  /** Uploads that were started and neither completed nor aborted, by id. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>
  requests: { method: string; path: string; status: number }[]
  /** Fails one request that matches, such as `DELETE /sandbox/x`: the next one, or the next after those of earlier calls. */
  fail: (kind: Failure, request?: RegExp) => void
}

/**
 * An error with this status, `internal` with 200; or no response: `lost` closes the connection after it has read the request,
 * `lost-after` after it was carried out, and `hang` keeps it open.
 */
type Failure = 'busy' | 'denied' | 'internal' | 'lost' | 'lost-after' | 'hang'

type Reply = { status: number; body?: string | Buffer; headers?: Record<string, string> }

const error = (status: number, code: string): Reply => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>The sandbox says ${code}.</Message></Error>`,
})

const ERRORS: Record<string, Reply> = {
  busy: error(503, 'SlowDown'),
  denied: error(403, 'AccessDenied'),
  internal: error(200, 'InternalError'),
}

/** A service with the API of S3 on a loopback port, with the one bucket `sandbox`. It checks signatures. */
export async function startBucket(): Promise<Bucket> {
  const objects: Bucket['objects'] = new Map()
  const uploads: Bucket['uploads'] = new Map()
  const requests: Bucket['requests'] = []
  const failures: { kind: Failure; request: RegExp }[] = []
  let started = 0

  function reply(method: string, url: URL, headers: IncomingMessage['headers'], body: Buffer): Reply {
    const [, bucket, ...path] = url.pathname.split('/')
    const key = decodeURIComponent(path.join('/'))
    const { searchParams: query } = url
    if (bucket !== 'sandbox') return error(404, 'NoSuchBucket')
    if (key === '') return query.has('uploads') ? listUploads(query) : listObjects(query)
    const id = query.get('uploadId')
    const upload = id ? uploads.get(id) : undefined
    if (id && !upload) return error(404, 'NoSuchUpload')
    if (method === 'POST' && query.has('uploads')) {
      const name = `upload-${++started}`
      uploads.set(name, { key, parts: new Map() })
      return { status: 200, body: `<Result><UploadId>${name}</UploadId></Result>` }
    }
    if (method === 'PUT' && upload) {
      upload.parts.set(Number(query.get('partNumber')), body)
      return { status: 200, headers: { etag: tagOf(body) } }
    }
    if (method === 'POST' && id && upload) {
      const tags = [...body.toString().matchAll(/<ETag>(.*?)<\/ETag>/g)].map(([, tag]) => tag)
      const parts = [...upload.parts].sort(([one], [other]) => one - other).map(([, part]) => part)
      // As S3: the status is sent before the parts are joined.
      if (parts.some((part, at) => tagOf(part) !== tags[at])) return error(200, 'InvalidPart')
      objects.set(key, Buffer.concat(parts))
      uploads.delete(id)
      return { status: 200, body: '<CompleteMultipartUploadResult/>' }
    }
    if (method === 'DELETE') {
      if (id) uploads.delete(id)
      else objects.delete(key)
      return { status: 204 }
    }
    const found = objects.get(key)
    if (!found) return error(404, 'NoSuchKey')
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(String(headers.range)) ?? []
    const part = found.subarray(Number(from), Number(to) + 1)
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${found.length}`
    return { status: 206, body: part, headers: { 'content-range': range } }
  }

  function listUploads(query: URLSearchParams): Reply {
    const found = [...uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
    const items = found.map(
      ([id, { key }]) => `<Upload><Key>${escapeXml(key)}</Key><UploadId>${id}</UploadId></Upload>`,
    )
    return { status: 200, body: `<Result>${items.join('')}</Result>` }
  }

  /** Two objects a page, so that a few already need a second request. */
  function listObjects(query: URLSearchParams): Reply {
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
    const from = Number(query.get('continuation-token') ?? 0)
    const page = keys.slice(from, from + 2)
    const items = page.map(
      (key) => `<Contents><Key>${escapeXml(key)}</Key><Size>${objects.get(key)?.length}</Size></Contents>`,
    )
    const next = from + 2 < keys.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
    return { status: 200, body: `<Result>${items.join('')}${next}</Result>` }
  }

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const { method = 'GET', headers } = incoming
    const url = new URL(incoming.url ?? '/', `http://${headers.host}`)
    const at = failures.findIndex(({ request }) => request.test(`${method} ${url.pathname}${url.search}`))
    const failure = failures.splice(at, at < 0 ? 0 : 1)[0]?.kind
    if (failure === 'hang') return
    if (failure === 'lost') return void incoming.socket.destroy()
    const problem = ERRORS[failure ?? ''] ?? refusalOf(method, url, headers, body)
    const { status, body: text = '', headers: more } = problem ?? reply(method, url, headers, body)
    if (failure === 'lost-after') return void incoming.socket.destroy()
    requests.push({ method, path: url.pathname + url.search, status })
    response.writeHead(status, more).end(text)
  }

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((cause) => response.destroy(cause))
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(0, '127.0.0.1', resolve)
  await promise
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: (folder) => ({
      ...S3_KEY,
      BACKUP_TARGET: `s3://sandbox/${folder}`,
      BACKUP_S3_ENDPOINT: `http://${host}`,
      OUTBOUND_ALLOW: host,
    }),
    objects,
    uploads,
    requests,
    fail: (kind, request = /./) => void failures.push({ kind, request }),
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

/** Some services write a character as its number. */
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&#60;').replaceAll('"', '&#x22;')

const tagOf = (part: Buffer) => `"${createHash('md5').update(part).digest('hex')}"`

/** The refusal of a request with a wrong body, or with another signature than this access key gives it. */
function refusalOf(method: string, url: URL, headers: IncomingMessage['headers'], body: Buffer): Reply | null {
  const bodyHash = String(headers['x-amz-content-sha256'])
  if (bodyHash !== createHash('sha256').update(body).digest('hex')) return error(400, 'XAmzContentSHA256Mismatch')
  // As a bucket with object lock.
  if (method === 'PUT' && headers['content-md5'] !== createHash('md5').update(body).digest('base64'))
    return error(400, 'InvalidRequest')
  const names = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))?.[1]?.split(';') ?? []
  const signed = Object.fromEntries(
    names.filter((name) => name !== 'host').map((name) => [name, String(headers[name])] as const),
  )
  const region = /Credential=[^/]+\/\d+\/([^/]+)/.exec(String(headers.authorization))?.[1] ?? ''
  const credentials = {
    region,
    accessKey: S3_KEY.BACKUP_S3_ACCESS_KEY_ID,
    secretKey: S3_KEY.BACKUP_S3_SECRET_ACCESS_KEY,
  }
  const expected = signRequest({ method, url, headers: signed, bodyHash }, credentials)
  return headers.authorization === expected ? null : error(403, 'SignatureDoesNotMatch')
}
