import { Type } from 'typebox'
import { Body, Nullable, Rec, Timestamp } from '../../http/schema.ts'

export const SessionSchema = Rec(
  'Session',
  {
    id: Type.String(),
    member_id: Type.String(),
    key_id: Nullable(
      Type.String({ description: 'The API key that opened the session and ends it; null: opened by a link' }),
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
    url: Type.String({ description: 'Opening it signs the browser in, once' }),
    expires_at: Timestamp(),
  },
  {
    url: 'https://bellwether.northwind.example/sign-in#token=bwl_4fQx8Zr1mUqT0cY5v2LkWb7sJ9hNd3eGaRpXoVtBiZE',
    expires_at: '2026-11-14T09:45:00.000Z',
  },
)
