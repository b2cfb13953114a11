import { Type } from 'typebox'
import { Body, Nullable, Rec, Timestamp } from '../../http/schema.ts'

export const SessionSchema = Rec(
  'Session',
  {
    id: Type.String(),
    member_id: Type.String(),
    key_id: Nullable(
      Type.String({
        description: 'The API key that opened the session and ends it; null: opened by a link or provider',
      }),
    ),
    provider: Nullable(
      Type.String({ description: 'The sign-in provider that opened the session; null: opened by a key or a link' }),
    ),
    browser: Type.String({ description: 'Browser and operating system' }),
    is_current: Type.Boolean({ description: 'Whether it is the session of this request' }),
    created_at: Timestamp(),
    last_used_at: Timestamp({ description: 'To the minute' }),
    expires_at: Timestamp({ description: 'When the session ends unless it is used before' }),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d8a',
    member_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
    key_id: null,
    provider: null,
    browser: 'Firefox on Windows',
    is_current: true,
    created_at: '2026-11-01T08:00:00.000Z',
    last_used_at: '2026-11-14T09:30:00.000Z',
    expires_at: '2026-12-14T09:30:00.000Z',
  },
)

export const SignIn = Body(
  'SignIn',
  {
    token: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The value of #token= in a sign-in link' }),
    ),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'An API key, instead' })),
    callback: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8_000,
        description: 'The query with which a sign-in provider returned to /sign-in/callback, instead',
      }),
    ),
    replace: Type.Optional(
      Type.Boolean({ description: 'true: replaces the session of another member in this browser' }),
    ),
  },
  { token: 'bwl_4fQx8Zr1mUqT0cY5v2LkWb7sJ9hNd3eGaRpXoVtBiZE' },
)

/** The id of a session, or `current`. */
export const SessionParams = Type.Object({
  id: Type.Unsafe<string>({
    type: 'string',
    anyOf: [{ enum: ['current'] }, { format: 'uuid' }],
    description: 'The session id, or `current`',
  }),
})

export const CreateSignInLink = Body(
  'CreateSignInLink',
  { member_id: Type.Optional(Type.String({ description: 'The member it signs in; you when absent' })) },
  { member_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80' },
)

export const SignInLink = Rec(
  'SignInLink',
  {
    url: Type.String({ description: 'Opens a page with a button that signs the browser in, once' }),
    expires_at: Timestamp(),
  },
  {
    url: 'https://bellwether.northwind.example/sign-in#token=bwl_4fQx8Zr1mUqT0cY5v2LkWb7sJ9hNd3eGaRpXoVtBiZE',
    expires_at: '2026-11-14T09:45:00.000Z',
  },
)

/** The ended session, and where to sign out at its provider. */
export const EndedSession = Rec(
  'EndedSession',
  {
    id: Type.String(),
    deleted: Type.Literal(true),
    sign_out_url: Nullable(
      Type.String({ description: 'Opening it also signs out at the provider of the ended, current session' }),
    ),
  },
  { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d8a', deleted: true, sign_out_url: null },
)

export const SignInOptions = Rec(
  'SignInOptions',
  {
    providers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: 'The OpenID Connect providers',
    }),
    email: Type.Boolean({ description: 'Whether a sign-in link can be requested by email' }),
  },
  { providers: [{ id: 'keycloak', name: 'Keycloak' }], email: false },
)

export const AuthorizeSignIn = Body(
  'AuthorizeSignIn',
  { provider: Type.String({ minLength: 1, maxLength: 40, description: 'The id of a provider' }) },
  { provider: 'keycloak' },
)

export const SignInRequest = Rec(
  'SignInRequest',
  {
    authorization_url: Type.String({ description: 'Open it in this browser to sign in' }),
    expires_at: Timestamp(),
  },
  {
    authorization_url:
      'https://sso.northwind.example/realms/main/protocol/openid-connect/auth?client_id=bellwether&state=Zr1mUqT0',
    expires_at: '2026-11-14T09:40:00.000Z',
  },
)

export const EmailSignInLink = Body(
  'EmailSignInLink',
  { email: Type.String({ format: 'email', maxLength: 254 }) },
  { email: 'dana@northwind.example' },
)

export const EmailedSignInLink = Rec(
  'EmailedSignInLink',
  { email: Type.String({ description: 'A link was sent to it if it is the address of a member' }) },
  { email: 'dana@northwind.example' },
)
