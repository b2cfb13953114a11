import { detectTechnologiesInDns } from '../../engine/technologies/index.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { failed } from '../ask.ts'
import type { Found, ProviderDeps } from '../types.ts'

export const NAME_RECORDS = 'dns'

type Technologies = Found<ReturnType<typeof detectTechnologiesInDns>[number]>

/** Whether there is a name server to ask: where all calls are led elsewhere, only one that is named. */
export const hasNameServer = ({ config }: Pick<ProviderDeps, 'config'>): boolean =>
  config.DNS_SERVER !== null || config.OUTBOUND_CONNECT_TO.size === 0

/** The products that the mail servers and TXT records of a domain show: two questions to the name server. */
export async function readNameRecords({ outbound, signal }: ProviderDeps, domain: string): Promise<Technologies> {
  try {
    const [mx, txt] = await Promise.all([outbound.mailServers(domain), outbound.textRecords(domain)])
    signal.throwIfAborted()
    const items = detectTechnologiesInDns({ mx, txt })
    return items.length > 0 ? { outcome: 'items', items } : { outcome: 'nothing' }
  } catch (error) {
    if (!(error instanceof OutboundError) || signal.aborted) throw error
    return failed('The name records of the domain could not be read.')
  }
}
