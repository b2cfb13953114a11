import type { Readable } from 'node:stream'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { importUploadedCompanies } from './import-companies.job.ts'
import { beginImport, deleteUpload, insertChunk, insertUpload, type UploadFormat } from './upload-store.ts'

/** A few million companies, more when packed; a larger file is sent in parts. */
export const MAX_UPLOAD_BYTES = 512 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024

/**
 * Takes a file of companies in, as it comes and a chunk at a time, and has it imported in the background. The answer means
 * that all of it is stored: a worker that is killed loses nothing. Throws payload_too_large, and invalid_request for an
 * empty file; a file that breaks off leaves nothing.
 */
export async function receiveCompanies(
  { db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>,
  workspaceId: string,
  format: UploadFormat,
  body: Readable,
  /** Bytes the sender says will come, as far as it does. */
  declared: number,
) {
  if (declared > MAX_UPLOAD_BYTES) throw tooLarge()
  const id = await insertUpload(db, workspaceId, format)
  try {
    let position = 0
    for await (const chunk of chunksOf(body)) await insertChunk(db, workspaceId, id, position++, chunk)
    if (position === 0) throw new AppError('invalid_request', 'The body is empty. Send the companies in it.')
    return await db.transaction().execute(async (db) => {
      const { created_at } = await beginImport(db, workspaceId, id)
      await jobs.enqueue(db, importUploadedCompanies, { workspace_id: workspaceId, import_id: id })
      return { id, status: 'running' as const, created_at }
    })
  } catch (error) {
    // Where even this fails, the file is deleted later as one that stopped coming.
    await deleteUpload(db, workspaceId, id).catch((err) => log.warn({ err }, 'a broken upload was not deleted'))
    throw error
  }
}

/** Chunks of one size, whatever the pieces in which they come. Throws payload_too_large. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let size = 0
  let total = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece)
    size += piece.length
    total += piece.length
    if (total > MAX_UPLOAD_BYTES) throw tooLarge()
    if (size < CHUNK_BYTES) continue
    yield Buffer.concat(pieces)
    pieces = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pieces)
}

function tooLarge(): AppError {
  const message = `A file may have ${MAX_UPLOAD_BYTES / 1024 / 1024} MB. Send it packed with gzip, or in parts.`
  return new AppError('payload_too_large', message)
}
