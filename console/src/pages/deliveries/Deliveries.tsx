import { Page } from '../../components/Page.tsx'

export function Deliveries() {
  return <Page title="Deliveries">{null}</Page>
}
