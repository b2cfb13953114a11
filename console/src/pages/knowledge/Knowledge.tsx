import { Button, Grid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { BookOpen, Plus } from 'lucide-react'
import { useRights } from '../../api/me.ts'
import { Page } from '../../components/Page.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { Profile } from './Profile.tsx'
import { SectionEditor } from './SectionEditor.tsx'
import { SectionList } from './SectionList.tsx'
import { sectionsQuery } from './sections.ts'

const route = getRouteApi('/app/knowledge/{-$id}')

/** What the team knows of its own company: scores, drafts and suggestions rest on it. */
export function Knowledge() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const { shared } = useRights()
  const { data, error, isPending, refetch } = useQuery(sectionsQuery)
  const close = () => navigate({ to: '/knowledge/{-$id}', params: { id: undefined }, resetScroll: false })
  const add = shared && (
    <Button component={Link} to="/knowledge/new" leftSection={<Plus size={16} aria-hidden />}>
      Add a section
    </Button>
  )
  return (
    <Page
      title="Knowledge base"
      lead="What your company offers and to whom. Fit, scores and drafted messages are made from it."
      actions={data && data.data.length > 0 && add}
      wide
    >
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            {id === 'new' && <SectionEditor onClose={close} />}
            {isPending && <Loading lines={10} />}
            {error && <ErrorMessage error={error} retry={refetch} />}
            {data?.data.length === 0 && id !== 'new' && (
              <EmptyState icon={BookOpen} title="Nothing is written here yet" action={add}>
                Have your own site read, beside or below this, and sections are drafted from its sentences. Or write the
                first one yourself: whom you sell to says most.
              </EmptyState>
            )}
            {id && id !== 'new' && data?.data.every((one) => one.id !== id) && (
              <SectionEditor key={id} goneId={id} onClose={close} />
            )}
            {data && <SectionList sections={data.data} editing={id} onClose={close} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Profile />
        </Grid.Col>
      </Grid>
    </Page>
  )
}
