import { Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'
import { CRM_PROVIDERS, CRM_VENDORS } from '../../providers/crm/registry.ts'
import { EMAIL_ADDRESS } from '../../shared/config-values.ts'

const provider = OneOf(CRM_PROVIDERS)
const [{ id: exampleProvider }] = CRM_VENDORS

const problem = Nullable(Type.String({ description: 'Why it does not work at the moment; null if it works' }))

const verification = {
  enabled: true,
  from: 'sales@northwind.example',
  set_by: 'workspace',
  vendor: null,
  problem: null,
}

/** Whether email addresses of people can be verified. */
export const EmailVerification = Rec(
  'EmailVerification',
  {
    enabled: Type.Boolean(),
    from: Nullable(Type.String({ description: 'The sender address used for queries to mail servers' })),
    set_by: Nullable(OneOf(['workspace', 'environment'])),
    vendor: Nullable(
      Type.String({ description: 'The vendor for addresses that mail servers do not confirm or reject' }),
    ),
    problem,
  },
  verification,
)

export const Integrations = Rec(
  'Integrations',
  {
    crm: Type.Object(
      { connected: Type.Boolean(), provider: Nullable(provider), connected_at: Nullable(Timestamp()), problem },
      { description: 'The CRM connected first' },
    ),
    crms: Type.Array(Type.Object({ provider, connected_at: Timestamp(), problem })),
    chat: Type.Object({
      connected: Type.Boolean(),
      channel: Type.String({ description: 'Empty if none is set' }),
      interactions_url: Nullable(
        Type.String({
          description:
            'The request URL for the app: where the chat sends clicks on buttons; null without a signing secret',
        }),
      ),
      problem,
    }),
    webhook: Type.Object({ enabled: Type.Boolean(), url: Nullable(Type.String()), problem }),
    webhook_destinations: Type.Object({ count: Type.Integer() }),
    mcp: Type.Object(
      {
        enabled: Type.Boolean(),
        url: Nullable(Type.String({ description: 'The MCP endpoint; null if MCP is disabled' })),
        last_used_at: Nullable(
          Timestamp({ description: 'Time of the latest MCP request for this workspace, to the minute' }),
        ),
      },
      {
        description:
          'The Model Context Protocol server for agents; `url` and `last_used_at` are extensions of the specification',
      },
    ),
    email_verification: EmailVerification,
    mail: Type.Object({ enabled: Type.Boolean(), problem }, { description: 'Whether alerts can be sent by email' }),
    filings: Type.Object({ enabled: Type.Boolean(), problem }, { description: 'Whether filings are read' }),
    reader: Type.Object(
      { ready: Type.Boolean(), version: Type.String(), problem },
      { description: 'The classifier of texts; while it is not ready, no signal is found' },
    ),
    providers: Type.Object(
      {
        problems: Type.Array(
          Type.Object({
            name: Type.String(),
            kind: OneOf(['refused', 'quota', 'unavailable', 'unreadable'], {
              description:
                'refused: it rejects the key; quota: its quota is used up; unavailable: it does not work; unreadable: its response is invalid',
            }),
            message: Type.String(),
            failed_at: Timestamp(),
          }),
        ),
      },
      { description: 'Data providers whose latest request failed' },
    ),
  },
  {
    crm: { connected: true, provider: exampleProvider, connected_at: '2026-11-01T08:00:00.000Z', problem: null },
    crms: [{ provider: exampleProvider, connected_at: '2026-11-01T08:00:00.000Z', problem: null }],
    chat: {
      connected: true,
      channel: '#signals',
      interactions_url: 'https://bellwether.example.com/chat/019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d70/interactions',
      problem: 'The chat does not know the channel #signals.',
    },
    webhook: { enabled: true, url: 'https://hooks.northwind.example/bellwether', problem: null },
    webhook_destinations: { count: 2 },
    mcp: { enabled: true, url: 'https://bellwether.example.com/mcp', last_used_at: '2026-11-15T09:30:00.000Z' },
    email_verification: verification,
    mail: { enabled: true, problem: null },
    filings: { enabled: true, problem: null },
    reader: { ready: true, version: '3f6c1a90be27', problem: null },
    providers: {
      problems: [
        {
          name: 'People Data Labs',
          kind: 'refused',
          message: 'People Data Labs refuses us or our key (status 401).',
          failed_at: '2026-11-10T09:00:00.000Z',
        },
      ],
    },
  },
)

/** Uses the same format as EMAIL_VERIFY_FROM. */
export const SetEmailVerification = Body(
  'SetEmailVerification',
  {
    from: Nullable(
      Type.String({
        maxLength: 254,
        pattern: EMAIL_ADDRESS.source,
        description: 'A sender address that you own; null restores EMAIL_VERIFY_FROM',
      }),
    ),
  },
  { from: 'sales@northwind.example' },
)
