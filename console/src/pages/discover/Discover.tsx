import { Page } from '../../components/Page.tsx'

export function Discover() {
  return <Page title="Discover">{null}</Page>
}
