import { Page } from '../../components/Page.tsx'

export function ImportAccounts() {
  return <Page title="Import accounts">{null}</Page>
}
