import { CRM_VENDORS, type CrmProvider } from './registry.ts'
import type { CrmApi } from './vendor/types.ts'

/** Limits concurrent renewals, because each holds a database connection while the vendor responds. */
const MAX_RENEWALS = 3
const MAX_PREPARED = 10_000

/**
 * The state of a process between calls to the CRMs: rate limits of accounts, token renewals in progress, and accounts that
 * have the fields of the service. Constructed once, in main.ts.
 */
export class CrmClients {
  readonly #apis = new Map<CrmProvider, CrmApi>(CRM_VENDORS.map(({ id, create }) => [id, create()]))
  readonly #renewals = new Map<string, Promise<unknown>>()
  readonly #slots = Array.from({ length: MAX_RENEWALS }, (): Promise<unknown> => Promise.resolve())
  #nextSlot = 0
  readonly #prepared = new Map<string, Promise<void>>()

  api(provider: CrmProvider): CrmApi {
    return this.#apis.get(provider) as CrmApi
  }

  /** Renews a token; concurrent calls for one connection share the result. */
  renewOnce<T>(connection: string, renew: () => Promise<T>): Promise<T> {
    const inProgress = this.#renewals.get(connection) as Promise<T> | undefined
    if (inProgress) return inProgress
    const renewal = this.#inSlot(renew).finally(() => this.#renewals.delete(connection))
    this.#renewals.set(connection, renewal)
    return renewal
  }

  #inSlot<T>(work: () => Promise<T>): Promise<T> {
    const slot = this.#nextSlot++ % MAX_RENEWALS
    const result = (this.#slots[slot] as Promise<unknown>).then(work)
    this.#slots[slot] = result.catch(() => undefined)
    return result
  }

  /** Creates the fields of the service in an account once; concurrent calls share the result. A failure is not cached. */
  async prepareOnce(crmAccount: string, prepare: () => Promise<void>): Promise<void> {
    let preparing = this.#prepared.get(crmAccount)
    if (!preparing) {
      if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear()
      preparing = prepare()
      this.#prepared.set(crmAccount, preparing)
    }
    await preparing.catch((error: unknown) => {
      if (this.#prepared.get(crmAccount) === preparing) this.#prepared.delete(crmAccount)
      throw error
    })
  }

  /** A field was deleted in the CRM: the account has to be prepared again. */
  forgetPrepared(crmAccount: string): void {
    this.#prepared.delete(crmAccount)
  }
}
