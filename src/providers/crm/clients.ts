import { CRM_VENDORS, type CrmProvider } from './registry.ts'
import type { CrmApi } from './vendor/types.ts'

/** Each renewal holds a database connection while the vendor answers: so many at once leave enough for everybody else. */
const MAX_RENEWALS = 3
const MAX_PREPARED = 10_000

/**
 * What a process keeps between calls to the CRMs: what the vendors' APIs learn of accounts, which tokens are being renewed,
 * and which accounts have the fields of the service. Constructed once, in main.ts.
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

  /** Renews a token, unless that is under way: then it waits for the same result. */
  renewOnce<T>(connection: string, renew: () => Promise<T>): Promise<T> {
    const underWay = this.#renewals.get(connection) as Promise<T> | undefined
    if (underWay) return underWay
    const renewal = this.#inSlot(renew).finally(() => this.#renewals.delete(connection))
    this.#renewals.set(connection, renewal)
    return renewal
  }

  #inSlot<T>(work: () => Promise<T>): Promise<T> {
    const slot = this.#nextSlot++ % MAX_RENEWALS
    const turn = (this.#slots[slot] as Promise<unknown>).then(work)
    this.#slots[slot] = turn.catch(() => undefined)
    return turn
  }

  /** Has the fields of the service created in an account, unless that was done or is under way. A failure is not kept. */
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

  /** Somebody deleted a field: the account has to be prepared again. */
  forgetPrepared(crmAccount: string): void {
    this.#prepared.delete(crmAccount)
  }
}
