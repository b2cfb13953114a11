import {
  ActionIcon,
  Badge,
  Button,
  Checkbox,
  Group,
  Menu,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Ellipsis, Plus } from 'lucide-react'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { PageLink, SafeLink } from '../../components/links.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { Toggle } from '../../components/Toggle.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { type AccountRecord, useCompanyStructure, useRefreshAccount } from './use-account.ts'

type Structure = Schemas['CompanyStructure']
type Relation = Structure['relations'][number]
type Registration = Structure['registrations'][number]
type Kind = Relation['kind']

const KINDS = [
  ['parent', 'Parent', 'Parent'],
  ['ultimate_parent', 'Ultimate parent', 'Ultimate parent'],
  ['subsidiary', 'Subsidiaries', 'Subsidiary'],
  ['brand', 'Brands', 'Brand'],
  ['former_name', 'Former names', 'Former name'],
] as const
const SOURCES: Record<string, string> = {
  gleif: 'GLEIF',
  'companies-house': 'Companies House',
  website: 'Website',
  member: 'Your team',
}
const SHOWN = 5
/** As the server decides for a relation that is added without `counts_as_account`. */
const countsByDefault = (kind: Kind) => kind === 'brand' || kind === 'former_name'

/** Legal names, parents, subsidiaries, brands and former names, which members can correct. */
export function CompanyStructure({ account }: { account: AccountRecord }) {
  const structure = useCompanyStructure(account.id)
  const isEditable = useRights().owns(account.owner_id)
  const [isAdding, setAdding] = useState(false)
  const [isRejectedShown, setRejectedShown] = useState(false)
  if (structure.isError) return <ErrorMessage error={structure.error} retry={structure.refetch} />
  if (structure.isPending) return <Loading lines={3} />
  const known = structure.data.data
  const isRejected = ({ status }: { status: string }) => status === 'rejected'
  const active = known.relations.filter((one) => !isRejected(one))
  const rejected = [...known.registrations.filter(isRejected), ...known.relations.filter(isRejected)]
  const registrations = known.registrations.filter((one) => !isRejected(one))
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="structure">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} id="structure">
            Company structure
          </Title>
          {isEditable && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => setAdding(true)}
            >
              Add
            </Button>
          )}
        </Group>
        {registrations.length + active.length === 0 && (
          <Text size="sm" c="dimmed">
            No register record, parent or brand is known.
          </Text>
        )}
        {registrations.length > 0 && (
          <Part title="Legal name">
            {registrations.map((registration) => (
              <RegistrationRow key={registration.register_id} account={account} registration={registration} />
            ))}
          </Part>
        )}
        {KINDS.map(([kind, title]) => (
          <Relations key={kind} account={account} title={title} relations={active.filter((one) => one.kind === kind)} />
        ))}
        {rejected.length > 0 && (
          <Toggle isOpen={isRejectedShown} panel="rejected" onClick={() => setRejectedShown(!isRejectedShown)}>
            {rejected.length} removed
          </Toggle>
        )}
        {isRejectedShown && rejected.length > 0 && (
          <div id="rejected">
            <List>
              {rejected.map((one) =>
                'proof' in one ? (
                  <RegistrationRow key={one.register_id} account={account} registration={one} />
                ) : (
                  <RelationRow key={one.id} account={account} relation={one} />
                ),
              )}
            </List>
          </div>
        )}
      </Stack>
      {isAdding && <RelationForm account={account} onClose={() => setAdding(false)} />}
    </Paper>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={2}>
        {title}
      </Text>
      <List>{children}</List>
    </div>
  )
}

function List({ children }: { children: React.ReactNode }) {
  return (
    <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  )
}

function Relations({
  account,
  title,
  relations,
}: {
  account: AccountRecord
  title: string
  relations: readonly Relation[]
}) {
  const [isOpen, setOpen] = useState(false)
  if (relations.length === 0) return null
  return (
    <div>
      <Part title={title}>
        {relations.slice(0, isOpen ? relations.length : SHOWN).map((relation) => (
          <RelationRow key={relation.id} account={account} relation={relation} />
        ))}
      </Part>
      {relations.length > SHOWN && (
        <Toggle isOpen={isOpen} label={`More ${title.toLowerCase()}`} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `${relations.length - SHOWN} more`}
        </Toggle>
      )}
    </div>
  )
}

/** Sends a correction and loads the structure again. */
function useCorrection<V>(call: (value: V) => Promise<unknown>) {
  const refresh = useRefreshAccount()
  return useMutation({
    mutationFn: call,
    onSuccess: refresh,
    onError: (error) => toastError('Change not saved', error),
  })
}

function RegistrationRow({ account, registration }: { account: AccountRecord; registration: Registration }) {
  const { register_id, legal_name, register, source_url, proof, status, checked_at } = registration
  const isActive = status === 'active'
  const path = { id: account.id, register_id }
  const update = useCorrection(() =>
    api.PATCH('/v1/accounts/{id}/registrations/{register_id}', {
      params: { path },
      body: { status: isActive ? 'rejected' : 'active' },
    }),
  )
  return (
    <Row
      name={<Text size="sm">{legal_name}</Text>}
      about={
        <>
          <Source to={source_url} name={SOURCES[register] ?? register} /> {register_id} ·{' '}
          <RelativeTime at={checked_at} />
          {isActive && <br />}
          {isActive && proof}
        </>
      }
      label={legal_name}
      account={account}
    >
      <Menu.Item onClick={() => update.mutate()}>{isActive ? 'Not this company' : 'Restore'}</Menu.Item>
    </Row>
  )
}

function RelationRow({ account, relation }: { account: AccountRecord; relation: Relation }) {
  const { id, name, kind, domain, source, source_url, found_at, status, counts_as_account, related_account_id } =
    relation
  const isActive = status === 'active'
  const params = { params: { path: { id: account.id, relation_id: id } } }
  const update = useCorrection((body: Schemas['UpdateRelation']) =>
    api.PATCH('/v1/accounts/{id}/relations/{relation_id}', { ...params, body }),
  )
  const remove = useCorrection(() => api.DELETE('/v1/accounts/{id}/relations/{relation_id}', params))
  const [isEditing, setEditing] = useState(false)
  return (
    <Row
      name={
        <Group gap={6}>
          {related_account_id ? (
            <PageLink to="/accounts/$id" params={{ id: related_account_id }} size="sm">
              {name}
            </PageLink>
          ) : (
            <Text size="sm">{name}</Text>
          )}
          {isActive && counts_as_account !== countsByDefault(kind) && (
            <Badge variant="default" tt="none" fw={500}>
              {counts_as_account ? 'News included' : 'News not included'}
            </Badge>
          )}
        </Group>
      }
      about={
        <>
          {!isActive && `${KINDS.find(([one]) => one === kind)?.[2]} · `}
          {domain && `${domain} · `}
          <Source to={source_url} name={SOURCES[source] ?? source} /> · <RelativeTime at={found_at} />
        </>
      }
      label={name}
      account={account}
      dialog={isEditing && <RelationForm account={account} relation={relation} onClose={() => setEditing(false)} />}
    >
      {isActive ? (
        <>
          <Menu.Item onClick={() => setEditing(true)}>Edit…</Menu.Item>
          <Menu.Item onClick={() => update.mutate({ counts_as_account: !counts_as_account })}>
            {counts_as_account ? 'Do not include news about it' : 'Include news about it'}
          </Menu.Item>
          {source !== 'member' && <Menu.Item onClick={() => update.mutate({ status: 'rejected' })}>Remove</Menu.Item>}
        </>
      ) : (
        <Menu.Item onClick={() => update.mutate({ status: 'active' })}>Restore</Menu.Item>
      )}
      {source === 'member' && <Menu.Item onClick={() => remove.mutate(undefined)}>Delete</Menu.Item>}
    </Row>
  )
}

function Source({ to, name }: { to: string | null; name: string }) {
  return to ? (
    <SafeLink to={to} size="xs">
      {name}
    </SafeLink>
  ) : (
    name
  )
}

type RowProps = {
  name: React.ReactNode
  about: React.ReactNode
  label: string
  account: AccountRecord
  /** What an action has opened. */
  dialog?: React.ReactNode
  /** The actions of members who may edit the account. */
  children: React.ReactNode
}

function Row({ name, about, label, account, dialog, children }: RowProps) {
  const isEditable = useRights().owns(account.owner_id)
  return (
    <Group component="li" justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {name}
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      </div>
      {isEditable && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="md" aria-label={`More actions for ${label}`}>
              <Ellipsis size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>{children}</Menu.Dropdown>
        </Menu>
      )}
      {dialog}
    </Group>
  )
}

type RelationFormProps = { account: AccountRecord; relation?: Relation; onClose: () => void }

/** Adds a relation, or edits the given one. */
function RelationForm({ account, relation, onClose }: RelationFormProps) {
  const refresh = useRefreshAccount()
  const [kind, setKind] = useState<Kind>(relation?.kind ?? 'brand')
  const [name, setName] = useState(relation?.name ?? '')
  const [domain, setDomain] = useState(relation?.domain ?? '')
  const [chosen, setChosen] = useState(relation?.counts_as_account)
  const counts_as_account = chosen ?? countsByDefault(kind)
  const save = useMutation<unknown>({
    mutationFn: () => {
      const body = { name, domain: domain.trim() || null, counts_as_account }
      const path = { id: account.id }
      return relation
        ? api.PATCH('/v1/accounts/{id}/relations/{relation_id}', {
            params: { path: { ...path, relation_id: relation.id } },
            body,
          })
        : api.POST('/v1/accounts/{id}/relations', { params: { path }, body: { ...body, kind } })
    },
    onSuccess: async () => {
      await refresh()
      toastSuccess(`${name} ${relation ? 'saved' : 'added'}`)
      onClose()
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      title={relation ? `Edit ${relation.name}` : 'Add to company structure'}
      action={relation ? 'Save' : 'Add'}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      isDisabled={name.trim() === ''}
      error={save.isError && Object.keys(errors).length === 0 ? errorMessage(save.error) : null}
    >
      {!relation && (
        <Select
          label="Kind"
          allowDeselect={false}
          data={KINDS.map(([value, , label]) => ({ value, label }))}
          value={kind}
          onChange={(value) => setKind((value as Kind | null) ?? kind)}
        />
      )}
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={300}
        value={name}
        error={errors.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Website"
        description="If it has its own"
        placeholder="example.com"
        value={domain}
        error={errors.domain}
        onChange={(event) => setDomain(event.currentTarget.value)}
      />
      <Checkbox
        label="Include news about it"
        description={`News about this name is news about ${account.name}`}
        checked={counts_as_account}
        onChange={(event) => setChosen(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
