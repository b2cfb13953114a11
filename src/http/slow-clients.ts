import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const TICK_MS = 1_000
/** Slower than any line that is worth waiting for: half a gigabyte would take a day and a half. */
const BYTES_PER_SECOND = 4 * 1024
/** Clients that send ahead send a few; each begins its work before the one before it is answered. */
const MAX_UNANSWERED = 32

type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  socket: Socket
  /** Bytes that had moved on the connection when it was last looked at. */
  moved: number
  /** Seconds it may still keep us waiting. */
  patience: number
}

/**
 * Ends connections whose client neither sends its body nor reads its answer at a least rate: each holds memory, and an
 * export also a connection to the database. There is no limit for the whole, so that a large import may take its time;
 * and only the client's time counts, not ours.
 */
export class SlowClients {
  readonly #open = new Set<Exchange>()
  readonly #unanswered = new WeakMap<Socket, number>()
  readonly #graceSeconds: number
  readonly #refuse: (socket: Socket) => void
  readonly #timer: NodeJS.Timeout

  /** `refuse` tells a client that its body did not come in time, and closes the connection. */
  constructor(graceSeconds: number, refuse: (socket: Socket) => void) {
    this.#graceSeconds = graceSeconds
    this.#refuse = refuse
    this.#timer = setInterval(() => this.#look(), TICK_MS).unref()
  }

  /** Watches a request from here until it is whole and answered. False: there are too many on its connection, which is closed. */
  watch(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    // Called from within the process: there is no connection, and no client that could be slow.
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

  #look(): void {
    for (const exchange of this.#open) {
      const { request, response, socket } = exchange
      const isAnswered = response.writableFinished
      if (socket.destroyed || (request.complete && isAnswered)) {
        this.#open.delete(exchange)
        continue
      }
      // Data that lies here unread is ours to take, and not the client's to send.
      const isHungry = !request.complete && request.readableLength === 0
      const moved = movedOn(socket)
      // What still comes after the answer is of no use, however fast it comes.
      const earned = isAnswered ? 0 : (moved - exchange.moved) / BYTES_PER_SECOND
      exchange.moved = moved
      if (isHungry || isAnswered || socket.writableLength > 0) exchange.patience -= TICK_MS / 1000
      // Not saved up: what was sent quickly before pays for no pause now.
      exchange.patience = Math.min(this.#graceSeconds, exchange.patience + earned)
      if (exchange.patience >= 0) continue
      this.#open.delete(exchange)
      // Only the request whose turn it is may be answered: another one's answer would be taken for its own.
      if (isHungry && !response.headersSent && response.socket === socket) this.#refuse(socket)
      else socket.destroy()
    }
  }
}

/** Bytes that came, and those that were taken from us; what waits to be taken does not count. */
function movedOn(socket: Socket): number {
  return (socket.bytesRead ?? 0) + (socket.bytesWritten ?? 0) - (socket.writableLength ?? 0)
}
