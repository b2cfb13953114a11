import { Page } from '../../components/Page.tsx'

export function Settings() {
  return <Page title="Settings">{null}</Page>
}
