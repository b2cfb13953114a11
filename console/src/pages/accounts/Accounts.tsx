import { Page } from '../../components/Page.tsx'

export function Accounts() {
  return <Page title="Accounts">{null}</Page>
}
