import { type Control, startControl } from './control.ts'
import { type Internet, startInternet } from './internet.ts'
import { type Manifest, manifestOf } from './manifest.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts'
import { siteAnswer } from './sites.ts'
import type { SandboxAnswer } from './types.ts'
import { crmPage } from './vendors/crm-page.ts'
import { createHubspot, type Hubspot } from './vendors/hubspot.ts'
import { vendorAnswer } from './vendors/index.ts'
import { createSalesforce, type Salesforce } from './vendors/salesforce.ts'
import { createSlack, type Slack } from './vendors/slack.ts'
import { createWorld, type LiveWorld, type WorldOptions } from './world.ts'

export type SandboxOptions = WorldOptions & {
  receiver?: ReceiverOptions
  /** Whether requests are kept, for tests to look at. */
  keep?: boolean
}

export type Sandbox = AsyncDisposable & {
  /** What a service needs in its environment to live in the sandbox. */
  env: Record<string, string>
  internet: Internet
  world: LiveWorld
  /** What is true now. */
  manifest: (windowDays?: number) => Manifest
  receiver: Receiver
  /** Where the service delivers to: two CRMs and a chat. */
  hubspot: Hubspot
  salesforce: Salesforce
  slack: Slack
  control: Control
}

/** The whole invented internet on loopback: company sites, news sites, vendors, a webhook receiver and the time machine. */
export async function startSandbox({ receiver: hook, keep, ...options }: SandboxOptions = {}): Promise<Sandbox> {
  await using stack = new AsyncDisposableStack()
  const world = createWorld(options)
  const hubspot = createHubspot({ keepCalls: keep ?? true })
  const salesforce = createSalesforce({ org: 'sandbox', keepCalls: keep ?? true })
  const slack = createSlack()
  const internet = stack.use(
    await startInternet(
      async (request) =>
        (await vendorAnswer(request, world, [hubspot, salesforce, slack])) ?? siteAnswer(request, world),
      keep === undefined ? {} : { keep },
    ),
  )
  const receiver = stack.use(await startReceiver(hook))
  const control = stack.use(
    await startControl(world, {
      pages: { 'crm-one': hubspot.page, 'crm-two': salesforce.page, chat: () => chatPage(slack) },
    }),
  )
  const running = stack.move()
  return {
    env: {
      ...internet.env,
      OUTBOUND_ALLOW: receiver.host,
      // The regulator refuses callers who do not say who they are.
      OUTBOUND_CONTACT: 'sandbox@bellwether.example',
      CRAWL_DELAY_MS: '0',
    },
    internet,
    world,
    manifest: (windowDays) => manifestOf(world, windowDays),
    receiver,
    hubspot,
    salesforce,
    slack,
    control,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function chatPage({ messages }: Slack): SandboxAnswer {
  return crmPage('Chat sandbox', [
    { title: 'Messages', rows: messages.map(({ channel, text }) => ({ channel, text })) },
  ])
}
