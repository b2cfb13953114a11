import { Page } from '../../components/Page.tsx'

export function Knowledge() {
  return <Page title="Knowledge base">{null}</Page>
}
