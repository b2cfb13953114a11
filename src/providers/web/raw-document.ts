import type { RawDocument } from '../../engine/content/read.ts'
import { registrableDomainOrHost } from '../../engine/text/web-address.ts'
import { prepareTransfer, type TaskRunOptions } from '../../engine/threads/pool.ts'
import type { OutboundResponse } from '../../outbound/client.ts'

/** An answer as the reading threads take it. Its body is handed over: nobody else can look at it any more. */
export function rawDocument({ url, body, headers }: OutboundResponse): { came: RawDocument; options: TaskRunOptions } {
  const handed = prepareTransfer(body)
  return {
    came: { url, body: handed.body, contentType: String(headers['content-type'] ?? '') },
    options: { from: registrableDomainOrHost(url), transfer: handed.transfer },
  }
}
