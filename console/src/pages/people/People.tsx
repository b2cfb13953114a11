import { Page } from '../../components/Page.tsx'

export function People() {
  return <Page title="People">{null}</Page>
}
