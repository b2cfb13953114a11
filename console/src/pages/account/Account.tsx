import { Page } from '../../components/Page.tsx'

export function Account() {
  return <Page title="Account">{null}</Page>
}
