import type { Bellwether, Schemas } from '@bellwether/client'
import { type TableColumn, withStyle } from '../terminal/output.ts'
import { formatDay } from './format-time.ts'

export const ACCOUNT_TABLE: TableColumn<Schemas['ListedAccount']>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'DOMAIN', value: ({ domain }) => domain, whole: true },
  { title: 'SCORE', value: ({ score, is_hot }) => (is_hot ? withStyle('warm', `${score} hot`) : score), right: true },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'LAST SIGNAL', value: ({ last_signal_at }) => formatDay(last_signal_at), whole: true, extra: true },
  { title: 'INDUSTRY', value: ({ industry }) => industry, extra: true },
  { title: 'TAGS', value: ({ tags }) => tags.join(', '), extra: true },
]

type Shown = Pick<Schemas['Person'], 'id' | 'full_name' | 'title' | 'account_name' | 'email'>

export const PEOPLE_TABLE: TableColumn<Shown>[] = [
  { title: 'NAME', value: ({ full_name }) => full_name },
  { title: 'TITLE', value: ({ title }) => title },
  { title: 'ACCOUNT', value: ({ account_name }) => account_name, extra: true },
  // Never cut or hidden, because it is copied; the id can be, because people are also found by name.
  { title: 'EMAIL', value: ({ email }) => email, whole: true },
  { title: 'ID', value: ({ id }) => id, whole: true, extra: true },
]

/** Looks up the product name of a provider id, such as HubSpot for `crm_one`. */
export async function readProviderLabels(client: Bellwether): Promise<(id: string) => string> {
  const providers = await client.get('/v1/connections/providers')
  return (id) => providers.find(({ provider }) => provider === id)?.label ?? id
}
