import { detectTechnologiesInDns } from '../../engine/technologies/index.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { failedResult } from '../request.ts'
import type { ProviderDeps, SourceResult } from '../types.ts'

export const DNS_RECORDS = 'dns'

type Technologies = SourceResult<ReturnType<typeof detectTechnologiesInDns>[number]>

/** Whether DNS can be queried: when OUTBOUND_CONNECT_TO redirects connections, only with an explicit DNS_SERVER. */
export const isDnsAvailable = ({ config }: Pick<ProviderDeps, 'config'>): boolean =>
  config.DNS_SERVER !== null || config.OUTBOUND_CONNECT_TO.size === 0

/** The technologies that the MX and TXT records of a domain reveal, with two DNS queries. */
export async function fetchDnsTechnologies({ outbound, signal }: ProviderDeps, domain: string): Promise<Technologies> {
  try {
    const [mx, txt] = await Promise.all([outbound.mailServers(domain), outbound.textRecords(domain)])
    signal.throwIfAborted()
    const items = detectTechnologiesInDns({ mx, txt })
    return items.length > 0 ? { outcome: 'items', items } : { outcome: 'nothing' }
  } catch (error) {
    if (!(error instanceof OutboundError) || signal.aborted) throw error
    return failedResult('The DNS records of the domain could not be read.')
  }
}
