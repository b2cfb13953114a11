import { Type } from 'typebox'
import { Nullable, Rec } from '../../http/schema.ts'

export const ServerSetting = Rec(
  'ServerSetting',
  {
    name: Type.String({ description: 'The environment variable' }),
    description: Type.String(),
    value: Nullable(Type.String({ description: 'Null for a secret' })),
    is_secret: Type.Boolean(),
  },
  {
    name: 'PUBLIC_URL',
    description: 'Public URL of the service, used in links',
    value: 'https://bellwether.northwind.example',
    is_secret: false,
  },
)
