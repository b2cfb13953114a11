import { Page } from '../../components/Page.tsx'

export function Signals() {
  return <Page title="Signals">{null}</Page>
}
