import {
  Alert,
  Avatar,
  Badge,
  Button,
  Card,
  Collapse,
  Group,
  List,
  Loader,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Pencil, RefreshCw } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { SafeLink } from '../../components/links.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { pluralize } from '../../lib/format.ts'
import { profileQuery, proofScope } from './company-profile.ts'
import { SellerForm } from './SellerForm.tsx'
import { sectionsQuery } from './sections.ts'

type CompanyProfile = Schemas['CompanyProfile']

/** The profile of the own company: its website with the import status, its products and proofs. */
export function Profile() {
  const client = useQueryClient()
  const { admin, shared } = useRights()
  const { data, error, isPending, refetch } = useQuery(profileQuery)
  const [isChanging, setChanging] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const profile = data?.data
  const isRunning = profile?.refresh.state === 'running'
  const wasRunning = useRef(false)
  useEffect(() => {
    // Shows the drafted sections when the import ends.
    if (wasRunning.current && !isRunning) client.invalidateQueries({ queryKey: sectionsQuery.queryKey })
    wasRunning.current = isRunning
  }, [client, isRunning])
  const refresh = useMutation({
    mutationFn: (domain: string | null) =>
      api.POST('/v1/company-profile/refresh', { body: domain === null ? {} : { domain } }),
    onSuccess: ({ data }) => {
      client.setQueryData(profileQuery.queryKey, data)
      setChanging(false)
    },
  })
  return (
    <Card withBorder padding="md" component="section" aria-labelledby="own-company">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} id="own-company">
            Your company
          </Title>
          {profile && shared && (
            <Button
              size="xs"
              variant="subtle"
              leftSection={<Pencil size={14} aria-hidden />}
              aria-label="Edit company"
              onClick={() => setEditing(true)}
            >
              Edit
            </Button>
          )}
        </Group>
        {isPending && <Loading lines={4} />}
        {error && <ErrorMessage error={error} retry={refetch} />}
        {profile && <CompanySummary profile={profile} />}
        {profile && <Offer profile={profile} />}
        {profile && <RefreshStatus profile={profile} />}
        {profile && admin && !isRunning && (
          <>
            <Group gap="xs">
              {profile.domain && (
                <Button
                  size="xs"
                  variant="light"
                  leftSection={<RefreshCw size={14} aria-hidden />}
                  loading={refresh.isPending && !isChanging}
                  onClick={() => refresh.mutate(null)}
                >
                  Refresh from website
                </Button>
              )}
              {profile.domain && (
                <Button size="xs" variant="subtle" aria-expanded={isChanging} onClick={() => setChanging(!isChanging)}>
                  Change domain
                </Button>
              )}
            </Group>
            {(isChanging || !profile.domain) && (
              <DomainForm isPending={refresh.isPending} error={refresh.error} onSubmit={refresh.mutate} />
            )}
            {refresh.error && !isChanging && profile.domain && (
              <ErrorMessage error={refresh.error} title="Website import failed" retry={() => refresh.mutate(null)} />
            )}
          </>
        )}
        {profile && !admin && !profile.domain && (
          <Text size="sm" c="dimmed">
            An admin can add your company’s domain to draft sections from its website.
          </Text>
        )}
      </Stack>
      {profile && isEditing && <SellerForm profile={profile} onClose={() => setEditing(false)} />}
    </Card>
  )
}

/** The products and proofs that drafts use. */
function Offer({ profile: { products, proofs } }: { profile: CompanyProfile }) {
  return (
    <>
      {products.length > 0 && (
        <Group gap={6} role="group" aria-label="Products">
          {products.map((product) => (
            <Badge key={product} variant="default" tt="none" fw={500} maw="100%">
              {product}
            </Badge>
          ))}
        </Group>
      )}
      {proofs.length === 0 ? (
        <Text size="sm" c="dimmed">
          No proofs yet. Messages convince more with what a similar customer achieved.
        </Text>
      ) : (
        <List size="sm" spacing={6} aria-label="Proofs" style={{ overflowWrap: 'anywhere' }}>
          {proofs.map((proof, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: proofs have no id and may repeat
            <List.Item key={at}>
              {/* The result may be a whole sentence that names the customer. */}
              {!proof.result.startsWith(proof.customer) && <b>{proof.customer} </b>}
              {proof.result}
              {proofScope(proof) && (
                <Text size="xs" c="dimmed">
                  For {proofScope(proof)}
                </Text>
              )}
            </List.Item>
          ))}
        </List>
      )}
    </>
  )
}

function CompanySummary({ profile: { name, domain, business_context } }: { profile: CompanyProfile }) {
  return (
    <>
      <Group gap="sm" wrap="nowrap">
        <Avatar radius="md" color="bell" name={name ?? '?'} aria-hidden />
        <div>
          <Text fw={600}>{name ?? 'No name yet'}</Text>
          {domain ? (
            <SafeLink to={`https://${domain}/`} size="sm">
              {domain}
            </SafeLink>
          ) : (
            <Text size="sm" c="dimmed">
              No domain yet
            </Text>
          )}
        </div>
      </Group>
      {business_context && <Text size="sm">{business_context}</Text>}
    </>
  )
}

/** The progress or the result of the website import. */
function RefreshStatus({ profile: { domain, refresh, scraped_meta } }: { profile: CompanyProfile }) {
  const [isOpen, setOpen] = useState(false)
  const { state, pages_read, message, ended_at } = refresh
  const failures = Array.isArray(scraped_meta.failures) ? scraped_meta.failures.length : 0
  if (state === 'running') {
    return (
      <Stack gap={6}>
        <Group gap="xs" role="status">
          <Loader size={14} aria-hidden />
          <Text size="sm" fw={500}>
            Importing {domain}: {pluralize(pages_read.length, 'page')} so far
          </Text>
        </Group>
        <PageNames pages={pages_read} />
      </Stack>
    )
  }
  if (state === 'failed') {
    return (
      <Alert
        color="red"
        variant="light"
        p="xs"
        icon={<CircleAlert size={16} aria-hidden />}
        title="Website import failed"
      >
        {message} It will be retried within a day.
      </Alert>
    )
  }
  if (message) return <Text size="sm">{message}</Text>
  if (!ended_at) return null
  return (
    <Stack gap={6}>
      <Button
        variant="subtle"
        size="compact-xs"
        color="gray"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        style={{ alignSelf: 'flex-start' }}
        leftSection={<CircleCheck size={14} aria-hidden />}
      >
        <span>
          {pluralize(pages_read.length, 'page')} imported <RelativeTime at={ended_at} />
          {failures > 0 && `, ${failures} failed`}
        </span>
      </Button>
      <Collapse expanded={isOpen}>
        <PageNames pages={pages_read} />
      </Collapse>
    </Stack>
  )
}

function PageNames({ pages }: { pages: CompanyProfile['refresh']['pages_read'] }) {
  return (
    <Stack gap={2}>
      {pages.map(({ url, title }) => (
        <SafeLink key={url} to={url} size="xs" truncate="end" maw="100%">
          {title ?? url}
        </SafeLink>
      ))}
    </Stack>
  )
}

type DomainFormProps = { isPending: boolean; error: unknown; onSubmit: (domain: string) => void }

function DomainForm({ isPending, error, onSubmit }: DomainFormProps) {
  const [domain, setDomain] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(domain.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          size="sm"
          label="Your company’s domain"
          placeholder="northwind.com"
          value={domain}
          onChange={(event) => setDomain(event.currentTarget.value)}
          error={error ? errorMessage(error) : null}
          required
        />
        <Button type="submit" size="sm" loading={isPending} disabled={domain.trim() === ''}>
          Import
        </Button>
      </Group>
    </form>
  )
}
