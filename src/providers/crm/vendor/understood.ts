import { type Crm, type CrmApi, CrmError } from './types.ts'

/**
 * The API of a vendor whose answers may have any shape: what breaks over one that is not as documented is the vendor's failure,
 * told like any other, and worth another attempt. Answers are read as the documentation has them, so a part that is missing
 * shows as a TypeError.
 */
export function understood(label: string, { identify, open }: CrmApi): CrmApi {
  const guarded = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      const message = `${label} gave an answer that is not understood. Push again in a few minutes.`
      throw new CrmError('busy', message, { cause: error })
    }
  }
  return {
    identify: (access) => guarded(() => identify(access)),
    open(access): Crm {
      const { prepare, find, write, ...rest } = open(access)
      return {
        ...rest,
        prepare: () => guarded(prepare),
        find: (...args) => guarded(() => find(...args)),
        write: (...args) => guarded(() => write(...args)),
      }
    },
  }
}
