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

/** A few million companies, more when packed; a larger file is sent in parts. Accounts are what a team works on itself. */
export const MAX_UPLOAD_MEGABYTES: Record<ImportKind, number> = { companies: 512, accounts: 64 }
const CHUNK_BYTES = 1024 * 1024

/**
 * Takes a file in, as it comes and a chunk at a time, and has it imported in the background. The answer means that all of
 * it is stored: a worker that is killed loses nothing. Throws payload_too_large, and invalid_request for an empty file; a
 * file that breaks off leaves nothing.
 */
export async function receiveUpload(
  { db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>,
  workspaceId: string,
  upload: ImportUpload,
  body: Readable,
  /** Bytes the sender says will come, as far as it does. */
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
    // Where even this fails, the file is deleted later as one that stopped coming.
    await deleteUpload(db, workspaceId, id).catch((err) => log.warn({ err }, 'a broken upload was not deleted'))
    throw error
  }
}

export const emptyBodyError = (kind: ImportKind) =>
  new AppError('invalid_request', `The body is empty. Send the ${kind} in it.`)

/** A body as long as it is no larger than it may be, nor says that it will be. Throws payload_too_large. */
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

/** Chunks of one size, whatever the pieces in which they come. */
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
  const message = `A file may have ${MAX_UPLOAD_MEGABYTES[kind]} MB. Send it packed with gzip, or in parts.`
  return new AppError('payload_too_large', message)
}
