import { Type } from 'typebox'
import { Body, Nullable, OneOf, Rec } from '../../http/schema.ts'

export const MAX_URL_CHARS = 2048

const example = {
  webhook_url: 'https://hooks.northwind.example/bellwether',
  webhook_enabled: true,
  webhook_secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  chat_channel: '#signals',
  chat_enabled: false,
  notify_realtime: true,
  notify_suggested: false,
  notify_job_changes: false,
}

export const NotificationSettings = Rec(
  'NotificationSettings',
  {
    webhook_url: Nullable(
      Type.String({ description: 'Complete for an admin’s key that may write; masked after the host for others' }),
    ),
    webhook_enabled: Type.Boolean(),
    webhook_secret: Nullable(
      Type.String({
        description:
          'Signs every alert as Standard Webhooks; created with the first URL and deleted with it. null unless the caller is an admin with write access',
      }),
    ),
    chat_channel: Type.String({ description: 'Empty when none is set' }),
    chat_enabled: Type.Boolean(),
    notify_realtime: Type.Boolean({ description: 'Alerts on active accounts' }),
    notify_suggested: Type.Boolean({ description: 'Alerts on new suggested accounts' }),
    notify_job_changes: Type.Boolean({
      description: 'Extension: alerts on people of active accounts and of lists who left, joined or changed role',
    }),
  },
  example,
)

export const UpdateNotificationSettings = Body(
  'UpdateNotificationSettings',
  {
    webhook_url: Type.Optional(
      Nullable(Type.String({ maxLength: MAX_URL_CHARS, description: 'A public https URL; null clears it' })),
    ),
    webhook_enabled: Type.Optional(Type.Boolean()),
    chat_channel: Type.Optional(Type.String({ maxLength: 80, description: 'Empty clears it' })),
    chat_enabled: Type.Optional(Type.Boolean()),
    notify_realtime: Type.Optional(Type.Boolean()),
    notify_suggested: Type.Optional(Type.Boolean()),
    notify_job_changes: Type.Optional(Type.Boolean({ description: 'Extension' })),
  },
  { webhook_url: 'https://hooks.northwind.example/bellwether', webhook_enabled: true },
)

export const TestNotification = Body(
  'TestNotification',
  { channel: OneOf(['webhook', 'chat']) },
  { channel: 'webhook' },
)

export const TestedNotification = Rec(
  'TestedNotification',
  {
    delivered: Type.Boolean(),
    status: Nullable(Type.Integer({ description: 'null: there was no response' })),
    message: Nullable(Type.String({ description: 'Why it failed, in a sentence; null when it was delivered' })),
    latency_ms: Type.Integer(),
  },
  { delivered: true, status: 200, message: null, latency_ms: 84 },
)
