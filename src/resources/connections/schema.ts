import { Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'
import { CRM_PROVIDERS, CRM_VENDORS } from '../../providers/crm/registry.ts'
import { ADDRESSES_TEXT, CONNECTION_PROVIDERS, TOKENS_TEXT } from './provider-schema.ts'

const provider = OneOf(CONNECTION_PROVIDERS)
const crm = OneOf(CRM_PROVIDERS)
const [{ id: exampleProvider, example }] = CRM_VENDORS

export const Connection = Rec(
  'Connection',
  {
    provider,
    account: Nullable(Type.String({ description: 'The account at the vendor' })),
    problem: Nullable(Type.String({ description: 'Why it does not work, in a sentence; null while it works' })),
    connected_at: Timestamp(),
  },
  {
    provider: exampleProvider,
    account: example.vendorAccount,
    problem: null,
    connected_at: '2026-11-01T08:00:00.000Z',
  },
)

export const ConnectionProviderSchema = Rec(
  'ConnectionProvider',
  {
    provider,
    kind: OneOf(['crm', 'chat']),
    label: Type.String({ description: 'Name of the vendor' }),
    token_name: Type.String({ description: 'The kind of token that connects it without a person’s consent' }),
    instance_url: Nullable(
      Type.Object(
        { name: Type.String(), example: Type.String() },
        { description: 'The address required in addition to a token; null: none' },
      ),
    ),
    consent: Type.Boolean({ description: 'Whether a person can connect it with their consent' }),
  },
  {
    provider: exampleProvider,
    kind: 'crm',
    label: CRM_VENDORS[0].label,
    token_name: CRM_VENDORS[0].tokenName,
    instance_url: null,
    consent: true,
  },
)

export const ConnectWithToken = Body(
  'Connect',
  {
    provider,
    token: Type.String({
      minLength: 1,
      maxLength: 4000,
      pattern: '^[\\x21-\\x7e]+$',
      description: `${TOKENS_TEXT.replace(/^a/, 'A')}. It is tested, encrypted, and never shown again`,
    }),
    instance_url: Type.Optional(Nullable(Type.String({ maxLength: 300, description: ADDRESSES_TEXT }))),
    signing_secret: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: '^[\\x21-\\x7e]+$',
          description:
            'For the chat: the signing secret of the app. Messages then have buttons, whose clicks the app sends to /chat/{workspace id}/interactions. Without it, a new token of the same chat keeps the present secret; null removes it',
          'x-extension': true,
        }),
      ),
    ),
  },
  { provider: exampleProvider, token: example.token },
)

export const AuthorizeConnection = Body('AuthorizeConnection', { provider: crm }, { provider: exampleProvider })

export const ConsentRequest = Rec(
  'Authorization',
  {
    authorization_url: Type.String({ description: 'Where a person gives their consent; it can be used once' }),
    expires_at: Timestamp(),
  },
  {
    authorization_url: example.consentUrl,
    expires_at: '2026-11-01T08:10:00.000Z',
  },
)

export const ProviderParams = Type.Object({ provider })

export const DisconnectQuery = Type.Object({
  records: OneOf(['keep', 'remove'], {
    default: 'keep',
    description:
      'What happens to the records read from a CRM: keep, or remove with the people and values that only it provided',
  }),
})

export const Disconnected = Rec(
  'Disconnected',
  { provider, deleted: Type.Literal(true) },
  { provider: exampleProvider, deleted: true },
)
