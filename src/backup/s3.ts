import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { Outbound, OutboundResponse } from '../outbound/client.ts'
import { OutboundError } from '../outbound/errors.ts'
import { SetupError } from '../shared/errors.ts'
import { ByteReader } from './byte-reader.ts'
import type { StoredFile, Target } from './target.ts'

/** Parts of an upload and of a download. A bucket takes at most 10,000 parts, so a backup has at most 160 GB. */
const PART_BYTES = 16 * 2 ** 20
/** Attempts for one request: a backup of hours must not fail because of one response. */
const ATTEMPTS = 8
/** Fewer to abort an upload: the next backup does it too. */
const ABORT_ATTEMPTS = 2
const RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000
const PART_TIMEOUT_MS = 300_000

type Credentials = { region: string; accessKey: string; secretKey: string }

const hex = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
/** RFC 3986, as the signature requires: encodeURIComponent leaves five more characters. */
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

type Signable = { method: string; url: URL; headers: Record<string, string>; bodyHash: string }

/** The `Authorization` header of AWS Signature Version 4. The headers must include `x-amz-date`; the host is added. */
export function signRequest({ method, url, headers, bodyHash }: Signable, credentials: Credentials): string {
  const { region, accessKey, secretKey } = credentials
  const date = headers['x-amz-date'] as string
  const all = Object.entries({ ...headers, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1))
  const names = all.map(([name]) => name).join(';')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const lines = all.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const canonical = [method, url.pathname, query, lines, names, bodyHash].join('\n')
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, hex(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secretKey}`)
  const signature = hmac(key, text).toString('hex')
  return `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

const unescapeXml = (text: string) =>
  text.replaceAll(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (_, name?: string, decimal?: string, hexadecimal?: string) =>
      name
        ? ({ amp: '&', lt: '<', gt: '>', quot: '"' }[name] ?? "'")
        : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal as string, 16)),
  )
const elements = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))].map(([, text = '']) => text)
const element = (xml: string, name: string) => unescapeXml(elements(xml, name)[0] ?? '')

/** A response that reports an error. */
class BucketError extends SetupError {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

type Options = {
  partBytes?: number
  /** Waits between two attempts. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

/** A folder of a bucket, at any service with the API of S3. The bucket is part of the path, which all of them support. */
export function openS3(
  config: Config,
  outbound: Outbound,
  location: { bucket: string; folder: string },
  {
    partBytes = PART_BYTES,
    wait = (ms, signal) => sleep(ms, undefined, { ...(signal ? { signal } : {}) }),
  }: Options = {},
): Target {
  const {
    BACKUP_S3_ACCESS_KEY_ID: accessKey,
    BACKUP_S3_SECRET_ACCESS_KEY: secretKey,
    BACKUP_S3_REGION: region,
  } = config
  if (!accessKey || !secretKey) {
    throw new SetupError(
      'BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY must be set for a target in a bucket.',
    )
  }
  const { bucket, folder } = location
  // A URL resolves these segments, so the request would have another path than its signature.
  if (!/^[\w.-]+$/.test(bucket) || /^\/|\/\/|(^|\/)\.\.?(\/|$)/.test(folder))
    throw new SetupError(`s3://${bucket}/${folder} must have the form s3://bucket/folder.`)
  const credentials = { region, accessKey, secretKey }
  const endpoint = config.BACKUP_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`
  const url = `${endpoint}/${bucket}`
  const prefix = folder.replace(/([^/])$/, '$1/')
  const pathOf = (name: string) => `/${(prefix + name).split('/').map(encode).join('/')}`

  type Call = { method: 'GET' | 'PUT' | 'POST' | 'DELETE'; path?: string; query?: Record<string, string> }
  type More = {
    body?: string | Uint8Array
    headers?: Record<string, string>
    maxBytes?: number
    attempts?: number
    signal?: AbortSignal | undefined
  }

  /** Sends a signed request, and again after an error that may pass. Throws with the request and the bucket's message. */
  async function call(
    { method, path = '/', query = {} }: Call,
    { body = '', headers = {}, maxBytes, attempts = ATTEMPTS, signal }: More = {},
  ) {
    const target = new URL(url + path)
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
    const bodyHash = hex(body)
    for (let attempt = 1; ; attempt++) {
      const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
      const signed = { ...headers, 'x-amz-content-sha256': bodyHash, 'x-amz-date': date }
      const authorization = signRequest({ method, url: target, headers: signed, bodyHash }, credentials)
      const response = await outbound
        .request(target.href, {
          method,
          headers: { ...signed, authorization, 'accept-encoding': 'identity' },
          body: body.length > 0 ? body : null,
          redirects: 'refuse',
          timeouts: { headers: PART_TIMEOUT_MS, total: PART_TIMEOUT_MS },
          ...(maxBytes ? { maxBytes, overflow: 'refuse' as const } : {}),
          ...(signal ? { signal } : {}),
        })
        .catch((error: unknown) => {
          if (error instanceof OutboundError && error.kind !== 'not_allowed') return error
          throw error
        })
      const problem = problemOf(response)
      if (!problem) return response as OutboundResponse
      signal?.throwIfAborted()
      const mayPass =
        response instanceof OutboundError ||
        response.status >= 500 ||
        response.status === 429 ||
        PASSING_CODES.has(problem.code)
      if (!mayPass || attempt === attempts) {
        const request = `${method} ${target.pathname}${Object.keys(query)
          .map((name) => ` ${name}`)
          .join('')}`
        throw new BucketError(`The bucket ${bucket} responded to ${request}: ${problem.message}`, problem.code)
      }
      await wait(Math.min(RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS), signal)
    }
  }

  type Upload = { name: string; uploadId: string; tags: string[]; size: number; signal: AbortSignal | undefined }

  async function complete({ name, uploadId, tags, size, signal }: Upload): Promise<void> {
    const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    await call({ method: 'POST', path: pathOf(name), query: { uploadId } }, { body, signal }).catch(async (error) => {
      if (!(error instanceof BucketError && error.code === 'NoSuchUpload')) throw error
      // An earlier attempt may have completed it, and its response was lost.
      const stored = (await list()).find((file) => file.name === name)
      if (stored?.bytes !== size) throw error
    })
  }

  const abort = (path: string, uploadId: string) =>
    call({ method: 'DELETE', path, query: { uploadId } }, { attempts: ABORT_ATTEMPTS })

  async function list(): Promise<StoredFile[]> {
    const found: StoredFile[] = []
    let token = ''
    do {
      const query = { 'list-type': '2', prefix, ...(token ? { 'continuation-token': token } : {}) }
      const xml = (await call({ method: 'GET', query })).text()
      for (const item of elements(xml, 'Contents'))
        found.push({ name: element(item, 'Key').slice(prefix.length), bytes: Number(element(item, 'Size')) })
      token = element(xml, 'NextContinuationToken')
    } while (token)
    return found
  }

  return {
    nameOf: (name) => `s3://${bucket}/${prefix}${name}`,
    list,
    async write(name, chunks, signal) {
      const path = pathOf(name)
      // Without the signal: the id is needed to abort the upload.
      const started = await call({ method: 'POST', path, query: { uploads: '' } })
      const uploadId = element(started.text(), 'UploadId')
      let size = 0
      try {
        const reader = new ByteReader(chunks)
        const tags: string[] = []
        do {
          const body = await reader.readUpTo(partBytes)
          const query = { partNumber: String(tags.length + 1), uploadId }
          // Amazon S3 requires it in a bucket with object lock.
          const md5 = { 'content-md5': createHash('md5').update(body).digest('base64') }
          const { headers } = await call({ method: 'PUT', path, query }, { body, headers: md5, signal })
          tags.push(String(headers.etag))
          size += body.length
        } while (!(await reader.isAtEnd()))
        await complete({ name, uploadId, tags, size, signal })
        return size
      } catch (error) {
        // The first error says more; an upload that stays is aborted by the next backup.
        await abort(path, uploadId).catch(() => null)
        throw error
      }
    },
    async *read(name) {
      const path = pathOf(name)
      for (let from = 0, size = 1; from < size; from += partBytes) {
        const range = `bytes=${from}-${from + partBytes - 1}`
        const { body, headers } = await call({ method: 'GET', path }, { headers: { range }, maxBytes: partBytes })
        size = Number(String(headers['content-range']).split('/')[1])
        yield body
      }
    },
    async remove(name) {
      await call({ method: 'DELETE', path: pathOf(name) })
    },
    async removeUnfinished(isOwn) {
      const xml = (await call({ method: 'GET', query: { uploads: '', prefix } })).text()
      for (const item of elements(xml, 'Upload')) {
        const name = element(item, 'Key').slice(prefix.length)
        if (isOwn(name)) await abort(pathOf(name), element(item, 'UploadId'))
      }
    },
  }
}

/** Codes of errors that may pass, which the completion of an upload reports with status 200. */
const PASSING_CODES = new Set(['InternalError', 'SlowDown', 'ServiceUnavailable'])

/** The error of a response, null when it succeeded. The completion of an upload reports errors with status 200. */
function problemOf(response: OutboundResponse | OutboundError): { code: string; message: string } | null {
  if (response instanceof OutboundError) return { code: '', message: response.message }
  const text = response.status >= 300 || response.body.length < 2_000 ? response.text() : ''
  const isError = response.status >= 300 || /^(<\?xml[^>]*>)?\s*<Error>/.test(text)
  if (!isError) return null
  const code = element(text, 'Code')
  const message = [String(response.status), code, element(text, 'Message')].filter(Boolean).join(' ').slice(0, 300)
  return { code, message }
}
