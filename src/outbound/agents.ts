import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici'
import { type ConnectorOptions, createCheckedConnector } from './connector.ts'

/** `visiting` has one connection per host, without a pool; its policy is that of `public`. */
export type Agents = Record<'settings' | 'public' | 'visiting', Agent>

type Options = Omit<ConnectorOptions, 'policy'> & {
  policies: Record<'settings' | 'public', ConnectorOptions['policy']>
  connections: number
}

/** Keep-alive limit for `visiting`: a site gets a few requests in a row and then none for a day. */
const VISIT_KEEP_ALIVE_MS = 4_000

/** `allowH2: false` is set per host: as an option of the agent, it would make the agent build the origin key for each request. */
function hostOverHttp1(origin: string | URL, options: object): Dispatcher {
  const given = { ...(options as Agent.Options), allowH2: false }
  return given.connections === 1 ? new Client(origin, given) : new Pool(origin, given)
}

/**
 * The agents of the outbound client, which loads this file with its first request: the library and the certificate authorities
 * take memory and time that a start does not need. Connections are pooled by host, so each trust level has a separate agent.
 */
export function createAgents({ policies, connections, ...connecting }: Options): Agents {
  const settings = createCheckedConnector({ ...connecting, policy: policies.settings })
  const open = createCheckedConnector({ ...connecting, policy: policies.public })
  return {
    settings: agentOver(settings, { connections }),
    public: agentOver(open, { connections }),
    visiting: agentOver(open, {
      connections: 1,
      keepAliveTimeout: VISIT_KEEP_ALIVE_MS,
      keepAliveMaxTimeout: VISIT_KEEP_ALIVE_MS,
    }),
  }
}

const agentOver = (connect: buildConnector.connector, options: Agent.Options) =>
  new Agent({ ...options, connect, maxOrigins: 2_000, factory: hostOverHttp1 })
