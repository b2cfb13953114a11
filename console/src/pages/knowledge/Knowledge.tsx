import { Button, Grid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { BookOpen, Plus } from 'lucide-react'
import { useRights } from '../../api/me.ts'
import { Page } from '../../components/Page.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { TabBar } from '../../components/TabBar.tsx'
import { Playbook, playbookQuery } from './Playbook.tsx'
import { Profile } from './Profile.tsx'
import { SectionEditor } from './SectionEditor.tsx'
import { SectionList } from './SectionList.tsx'
import { sectionsQuery } from './sections.ts'

const route = getRouteApi('/app/knowledge/{-$id}')

/** The knowledge base about the own company, used for scores, drafts and suggestions. */
export function Knowledge() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const { shared } = useRights()
  const { data, error, isPending, refetch } = useQuery(sectionsQuery)
  const close = () => navigate({ to: '/knowledge/{-$id}', params: { id: undefined }, resetScroll: false })
  const isPlaybook = id === 'playbook'
  const playbook = useQuery(playbookQuery)
  // Edited plays are sections, too; they are on their own tab.
  const plays = new Set(playbook.data?.data.map(({ section_id }) => section_id))
  const sections = playbook.isPending ? undefined : data?.data.filter(({ id }) => !plays.has(id))
  const add = shared && (
    <Button component={Link} to="/knowledge/new" leftSection={<Plus size={16} aria-hidden />}>
      Add section
    </Button>
  )
  return (
    <Page
      title="Knowledge base"
      lead="Your products and ideal customers, used for scores and drafted messages"
      actions={!isPlaybook && sections && sections.length > 0 && add}
      wide
    >
      <TabBar
        label="Knowledge base"
        tabs={[
          { to: '/knowledge', label: 'Company', isHere: !isPlaybook },
          { to: '/knowledge/playbook', label: 'Playbook', isHere: isPlaybook },
        ]}
      />
      {isPlaybook ? (
        <Playbook />
      ) : (
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Stack gap="md">
              {id === 'new' && <SectionEditor onClose={close} />}
              {(isPending || playbook.isPending) && <Loading lines={10} />}
              {error && <ErrorMessage error={error} retry={refetch} />}
              {sections?.length === 0 && id !== 'new' && (
                <EmptyState icon={BookOpen} title="No sections yet" action={add}>
                  Import your website to draft sections, or add one yourself: your ideal customer matters most.
                </EmptyState>
              )}
              {id && id !== 'new' && data?.data.every((one) => one.id !== id) && (
                <SectionEditor key={id} deletedId={id} onClose={close} />
              )}
              {sections && <SectionList sections={sections} editing={id} onClose={close} />}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Profile />
          </Grid.Col>
        </Grid>
      )}
    </Page>
  )
}
