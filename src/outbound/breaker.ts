import type { Clock } from './clock.ts'
import { OutboundError, type OutboundErrorKind } from './errors.ts'

export type BreakerOptions = {
  /** Consecutive failures that open the circuit. */
  failures: number
  /** How long the circuit stays open at first; doubled by every failed probe up to `maxPauseMs`. */
  pauseMs: number
  maxPauseMs: number
}

const DEFAULTS: BreakerOptions = { failures: 10, pauseMs: 5_000, maxPauseMs: 60_000 }

/**
 * Only a missing response counts: a host that returns 500 is up, and the caller decides what to do. Rejected URLs and aborts
 * do not depend on the host.
 */
const COUNTED: ReadonlySet<OutboundErrorKind> = new Set<OutboundErrorKind>(['dns', 'connect', 'tls', 'timeout'])

const MAX_HOSTS = 10_000

type Circuit = { failures: number; pauseMs: number; openUntil: number; probing: boolean }

/** A circuit breaker per host: opens after consecutive failures, then lets one call through as a probe. */
export class Breaker {
  readonly #clock: Clock
  readonly #options: BreakerOptions
  /** Hosts with recent failures; a healthy host has no entry. */
  readonly #circuits = new Map<string, Circuit>()

  constructor(clock: Clock, options: Partial<BreakerOptions> = {}) {
    this.#clock = clock
    this.#options = { ...DEFAULTS, ...options }
  }

  /** Runs the call unless the host's circuit is open. Throws circuit_open and the errors of the call. */
  async run<T>(host: string, call: () => Promise<T>): Promise<T> {
    const probe = this.#enter(host)
    try {
      const response = await call()
      this.#circuits.delete(host)
      return response
    } catch (error) {
      if (error instanceof OutboundError && COUNTED.has(error.kind)) this.#failed(host)
      else if (probe) probe.probing = false
      throw error
    }
  }

  /** The circuit, if this call is its probe. */
  #enter(host: string): Circuit | null {
    const circuit = this.#circuits.get(host)
    if (!circuit || circuit.failures < this.#options.failures) return null
    const left = circuit.openUntil - this.#clock.now()
    if (left > 0 || circuit.probing) {
      throw new OutboundError('circuit_open', { retryAfter: Math.max(1, Math.ceil(left / 1000)) })
    }
    circuit.probing = true
    return circuit
  }

  #failed(host: string): void {
    const { failures, pauseMs, maxPauseMs } = this.#options
    const now = this.#clock.now()
    const circuit = this.#circuits.get(host) ?? { failures: 0, pauseMs, openUntil: now, probing: false }
    circuit.failures++
    // Calls that were running when the circuit opened fail too; they must not extend the pause.
    if (circuit.failures >= failures && now >= circuit.openUntil) {
      circuit.openUntil = now + circuit.pauseMs
      circuit.pauseMs = Math.min(circuit.pauseMs * 2, maxPauseMs)
      circuit.probing = false
    }
    this.#circuits.set(host, circuit)
    const [oldest] = this.#circuits.size > MAX_HOSTS ? this.#circuits.keys() : []
    if (oldest !== undefined) this.#circuits.delete(oldest)
  }
}
