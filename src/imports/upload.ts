import type { Readable } from 'node:stream'
import type { Deps } from '../deps/deps.ts'
import { AppError } from '../shared/errors.ts'
import { UPLOAD_JOBS } from './import-uploads.job.ts'
import {
  deleteUpload,
  type ImportKind,
  type ImportUpload,
  insertUpload,
  insertUploadChunk,
  startImport,
} from './upload-store.ts'

/** Enough for a few million companies, more when compressed; a team's own accounts are far fewer. */
export const MAX_UPLOAD_MEGABYTES: Record<ImportKind, number> = { companies: 512, accounts: 64 }
const CHUNK_BYTES = 1024 * 1024

/**
 * Stores an uploaded file chunk by chunk and enqueues its import. When this returns, the whole file is stored, so that a
 * killed worker loses nothing. Throws payload_too_large, and invalid_request for an empty file; an aborted upload is deleted.
 */
export async function receiveUpload(
  { db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>,
  workspaceId: string,
  upload: ImportUpload,
  body: Readable,
  /** Content-Length of the request, or 0. */
  declared: number,
) {
  const { kind } = upload
  const pieces = limitBody(body, kind, declared)
  const id = await insertUpload(db, workspaceId, upload)
  try {
    let position = 0
    for await (const chunk of inChunks(pieces)) await insertUploadChunk(db, workspaceId, id, position++, chunk)
    if (position === 0) throw emptyBodyError(kind)
    return await db.transaction().execute(async (db) => {
      const { created_at } = await startImport(db, workspaceId, id)
      await jobs.enqueue(db, UPLOAD_JOBS[kind], { workspace_id: workspaceId, import_id: id })
      return { id, status: 'running' as const, created_at }
    })
  } catch (error) {
    // If this fails, the upload is deleted later as an abandoned one.
    await deleteUpload(db, workspaceId, id).catch((err) => log.warn({ err }, 'an aborted upload could not be deleted'))
    throw error
  }
}

export const emptyBodyError = (kind: ImportKind) =>
  new AppError('invalid_request', `The body is empty. Send the ${kind} in it.`)

/** Limits a body to the maximum size, by its declared and its actual length. Throws payload_too_large. */
export function limitBody(body: Readable, kind: ImportKind, declared: number): AsyncGenerator<Buffer> {
  if (declared > MAX_UPLOAD_MEGABYTES[kind] * 1024 * 1024) throw tooLarge(kind)
  return limitBytes(body, kind)
}

async function* limitBytes(body: Readable, kind: ImportKind): AsyncGenerator<Buffer> {
  let total = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    total += piece.length
    if (total > MAX_UPLOAD_MEGABYTES[kind] * 1024 * 1024) throw tooLarge(kind)
    yield piece
  }
}

/** Combines the pieces of a body into chunks of at least CHUNK_BYTES. */
async function* inChunks(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    pieces.push(piece)
    size += piece.length
    if (size < CHUNK_BYTES) continue
    yield Buffer.concat(pieces)
    pieces = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pieces)
}

function tooLarge(kind: ImportKind): AppError {
  const message = `The file is larger than ${MAX_UPLOAD_MEGABYTES[kind]} MB. Compress it with gzip, or send it in parts.`
  return new AppError('payload_too_large', message)
}
