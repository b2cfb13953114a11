import { type Control, startControl } from './control.ts'
import { type Internet, startInternet } from './internet.ts'
import { type Mail, startMail } from './mail.ts'
import { type Manifest, manifestOf } from './manifest.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts'
import { siteAnswer } from './sites.ts'
import type { SandboxAnswer } from './types.ts'
import { crmPage } from './vendors/crm-page.ts'
import { createHubspot, type Hubspot } from './vendors/hubspot.ts'
import { VENDORS, vendorAnswer } from './vendors/index.ts'
import { createSalesforce, type Salesforce } from './vendors/salesforce.ts'
import { createSlack, type Slack } from './vendors/slack.ts'
import { mailOf, profilesOf } from './world/mail.ts'
import { createWorld, type LiveWorld, type WorldOptions } from './world.ts'

export type SandboxOptions = WorldOptions & {
  receiver?: ReceiverOptions
  /** Whether requests are kept, for tests to look at. */
  keep?: boolean
  /** Where the time machine listens; on a free port of loopback unless given. */
  control?: { host?: string; port?: number }
}

export type Sandbox = AsyncDisposable & {
  /** What a service needs in its environment to live in the sandbox. */
  env: Record<string, string>
  internet: Internet
  mail: Mail
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

/** The whole invented internet on loopback: company sites, news sites, mail servers, vendors, a webhook receiver and the time machine. */
export async function startSandbox({
  receiver: hook,
  keep,
  control: place,
  ...options
}: SandboxOptions = {}): Promise<Sandbox> {
  await using stack = new AsyncDisposableStack()
  const world = createWorld(options)
  const known = { mail: mailOf(world.companies), profiles: profilesOf(world.companies) }
  const mail = stack.use(await startMail(known.mail))
  const hubspot = createHubspot({ keepCalls: keep ?? true })
  const salesforce = createSalesforce({ org: 'sandbox', keepCalls: keep ?? true })
  const slack = createSlack()
  const internet = stack.use(
    await startInternet(
      async (request) =>
        (await vendorAnswer(request, { ...world, ...known }, [...VENDORS, hubspot, salesforce, slack])) ??
        siteAnswer(request, world),
      keep === undefined ? {} : { keep },
    ),
  )
  const receiver = stack.use(await startReceiver(hook))
  const control = stack.use(
    await startControl(world, {
      ...place,
      pages: { 'crm-one': hubspot.page, 'crm-two': salesforce.page, chat: () => chatPage(slack) },
    }),
  )
  const running = stack.move()
  return {
    env: {
      ...internet.env,
      OUTBOUND_CONNECT_TO: `${internet.env.OUTBOUND_CONNECT_TO},${mail.connectTo}`,
      DNS_SERVER: mail.dns,
      EMAIL_VERIFY_FROM: 'check@bellwether.example',
      EMAIL_VERIFY_SECONDS: '5',
      EMAIL_GREYLIST_SECONDS: '0,0',
      EMAIL_DELAY_MS: '0',
      OUTBOUND_ALLOW: receiver.host,
      // The regulator refuses callers who do not say who they are.
      OUTBOUND_CONTACT: 'sandbox@bellwether.example',
      CRAWL_DELAY_MS: '0',
    },
    internet,
    mail,
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
