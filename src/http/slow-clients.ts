import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const TICK_MS = 1_000
/** Minimum transfer rate: at this rate half a gigabyte would take a day and a half. */
const BYTES_PER_SECOND = 4 * 1024
/** Limit for HTTP pipelining: each pipelined request starts before the one before it has its response. */
const MAX_UNANSWERED = 32

type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  socket: Socket
  /** Bytes transferred on the connection at the last check. */
  moved: number
  /** Seconds that the client may still be too slow. */
  patience: number
}

/**
 * Closes connections whose client sends its body or reads its response below a minimum rate: each holds memory, and an
 * export also a database connection. There is no total timeout, so that large imports can take long; and only the time of
 * the client counts, not the time of the service.
 */
export class SlowClients {
  readonly #open = new Set<Exchange>()
  readonly #unanswered = new WeakMap<Socket, number>()
  readonly #graceSeconds: number
  readonly #refuse: (socket: Socket) => void
  readonly #timer: NodeJS.Timeout

  /** `refuse` sends request_timeout to the client and closes the connection. */
  constructor(graceSeconds: number, refuse: (socket: Socket) => void) {
    this.#graceSeconds = graceSeconds
    this.#refuse = refuse
    this.#timer = setInterval(() => this.#check(), TICK_MS).unref()
  }

  /** Watches a request until its body is received and its response sent. False: too many on the connection, which is closed. */
  watch(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    // An injected request has no connection.
    if (socket.bytesRead === undefined) return true
    const unanswered = (this.#unanswered.get(socket) ?? 0) + 1
    this.#unanswered.set(socket, unanswered)
    if (unanswered > MAX_UNANSWERED) {
      socket.destroy()
      return false
    }
    const exchange = { request, response, socket, moved: movedOn(socket), patience: this.#graceSeconds }
    this.#open.add(exchange)
    response.once('close', () => {
      this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1)
      if (request.complete || socket.destroyed) this.#open.delete(exchange)
    })
    return true
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    for (const exchange of this.#open) {
      const { request, response, socket } = exchange
      const isAnswered = response.writableFinished
      if (socket.destroyed || (request.complete && isAnswered)) {
        this.#open.delete(exchange)
        continue
      }
      // Unread data means that the service is slow, not the client.
      const isWaiting = !request.complete && request.readableLength === 0
      const moved = movedOn(socket)
      // After the response the rest of the body is useless, however fast it is sent.
      const earned = isAnswered ? 0 : (moved - exchange.moved) / BYTES_PER_SECOND
      exchange.moved = moved
      if (isWaiting || isAnswered || socket.writableLength > 0) exchange.patience -= TICK_MS / 1000
      // Capped: fast transfer before does not allow a longer pause now.
      exchange.patience = Math.min(this.#graceSeconds, exchange.patience + earned)
      if (exchange.patience >= 0) continue
      this.#open.delete(exchange)
      // Only the current request of the connection may get a response: another one's would be taken for its response.
      if (isWaiting && !response.headersSent && response.socket === socket) this.#refuse(socket)
      else socket.destroy()
    }
  }
}

/** Bytes received and bytes sent, without those in the write buffer. */
function movedOn(socket: Socket): number {
  return (socket.bytesRead ?? 0) + (socket.bytesWritten ?? 0) - (socket.writableLength ?? 0)
}
