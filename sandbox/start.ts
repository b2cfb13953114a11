import { type Control, startControl } from './control.ts'
import { type Internet, startInternet } from './internet.ts'
import { type Mail, startMail } from './mail.ts'
import { mailPage } from './mail-page.ts'
import { type Manifest, manifestOf } from './manifest.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts'
import { siteResponse } from './sites.ts'
import { type SmtpServer, startSmtp } from './smtp.ts'
import type { SandboxResponse } from './types.ts'
import { crmPage } from './vendors/crm-page.ts'
import { createHubspot, type Hubspot } from './vendors/hubspot.ts'
import { VENDORS, vendorResponse } from './vendors/index.ts'
import { createSalesforce, type Salesforce } from './vendors/salesforce.ts'
import { createSlack, type Slack } from './vendors/slack.ts'
import { mailOf, profilesOf } from './world/mail.ts'
import { createWorld, type LiveWorld, type WorldOptions } from './world.ts'

export type SandboxOptions = WorldOptions & {
  receiver?: ReceiverOptions
  /** Whether requests are recorded, for assertions. */
  keep?: boolean
  /** The address of the time machine; a free loopback port by default. */
  control?: { host?: string; port?: number }
}

export type Sandbox = AsyncDisposable & {
  /** The environment variables that make a service use the sandbox. */
  env: Record<string, string>
  internet: Internet
  mail: Mail
  world: LiveWorld
  /** The expected findings in the current state. */
  manifest: (windowDays?: number) => Manifest
  receiver: Receiver
  /** The delivery targets: two CRMs and a chat. */
  hubspot: Hubspot
  salesforce: Salesforce
  slack: Slack
  /** The server that receives the mail of the service. */
  smtp: SmtpServer
  control: Control
}

/**
 * The whole invented internet on loopback: company sites, news sites, mail servers, vendors, receivers of webhooks and mail,
 * and the time machine.
 */
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
        (await vendorResponse(request, { ...world, ...known }, [...VENDORS, hubspot, salesforce, slack])) ??
        siteResponse(request, world),
      keep === undefined ? {} : { keep },
    ),
  )
  const smtp = stack.use(await startSmtp({ authority: internet.authority }))
  const receiver = stack.use(await startReceiver(hook))
  const control = stack.use(
    await startControl(world, {
      ...place,
      pages: {
        'crm-one': hubspot.page,
        'crm-two': salesforce.page,
        chat: () => chatPage(slack),
        mail: () => mailPage(smtp),
      },
    }),
  )
  const running = stack.move()
  return {
    env: {
      ...internet.env,
      OUTBOUND_CONNECT_TO: `${internet.env.OUTBOUND_CONNECT_TO},${mail.connectTo},${smtp.connectTo}`,
      ...smtp.env,
      DNS_SERVER: mail.dns,
      PREFLIGHT_MAIL_DOMAIN: known.mail[0]?.domain ?? '',
      EMAIL_VERIFY_FROM: 'check@bellwether.example',
      EMAIL_VERIFY_SECONDS: '5',
      EMAIL_GREYLIST_SECONDS: '0,0',
      EMAIL_DELAY_MS: '0',
      OUTBOUND_ALLOW: receiver.host,
      // The SEC rejects requests without contact details.
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
    smtp,
    control,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function chatPage({ messages }: Slack): SandboxResponse {
  return crmPage('Chat sandbox', [
    { title: 'Messages', rows: messages.map(({ channel, text }) => ({ channel, text })) },
  ])
}
