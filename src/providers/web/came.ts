import type { RawDocument } from '../../engine/content/read.ts'
import { placeOf } from '../../engine/content/site.ts'
import { prepareTransfer, type TaskRunOptions } from '../../engine/threads/pool.ts'
import type { Answer } from '../../outbound/client.ts'

/** An answer as the reading threads take it. Its body is handed over: nobody else can look at it any more. */
export function cameOf({ url, body, headers }: Answer): { came: RawDocument; options: TaskRunOptions } {
  const handed = prepareTransfer(body)
  return {
    came: { url, body: handed.body, contentType: String(headers['content-type'] ?? '') },
    options: { from: placeOf(url), transfer: handed.transfer },
  }
}
