import { Page } from '../../components/Page.tsx'

export function Suggested() {
  return <Page title="Suggested">{null}</Page>
}
