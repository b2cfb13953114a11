import {
  ActionIcon,
  Button,
  Card,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { profileQuery } from './company-profile.ts'

type CompanyProfile = Schemas['CompanyProfile']
type Proof = CompanyProfile['proofs'][number]

const NO_PROOF: Proof = { customer: '', result: '', industry: null, min_employees: null, max_employees: null }
const MAX_PRODUCTS = 20
const MAX_PROOFS = 30

/** Edits what drafts say about the own company. */
export function SellerForm({ profile, onClose }: { profile: CompanyProfile; onClose: () => void }) {
  const client = useQueryClient()
  const [{ name, products, proofs }, setFields] = useState({ ...profile, name: profile.name ?? '' })
  const change = (part: Partial<Pick<CompanyProfile, 'products' | 'proofs'> & { name: string }>) =>
    setFields((others) => ({ ...others, ...part }))
  const save = useMutation({
    mutationFn: () => {
      // Only a name that was changed: one that is sent is no longer updated from the website.
      const renamed = name.trim() === profile.name ? {} : { name }
      return api.PATCH('/v1/company-profile', { body: { ...renamed, products, proofs } })
    },
    onSuccess: ({ data }) => {
      client.setQueryData(profileQuery.queryKey, data)
      onClose()
      toastSuccess('Company saved')
    },
  })
  const errors = fieldErrors(save.error)
  const isAtField = Object.keys(errors).some((path) => /^(?:name|proofs\.\d+\.\w+)$/.test(path))
  const setProof = (at: number, part: Partial<Proof>) =>
    change({ proofs: proofs.map((proof, other) => (other === at ? { ...proof, ...part } : proof)) })
  return (
    <FormDialog
      title="Edit company"
      action="Save"
      size="lg"
      onClose={onClose}
      onSubmit={save.mutate}
      isPending={save.isPending}
      isDisabled={name.trim() === ''}
      error={save.isError && !isAtField ? errorMessage(save.error) : null}
    >
      <TextInput
        label="Company name"
        description="As in your messages. A name set here is not changed by importing your website."
        required
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errors.name}
      />
      <TagsInput
        label="Products"
        description="Press Enter after each name"
        placeholder={products.length > 0 ? undefined : 'Product name'}
        maxTags={MAX_PRODUCTS}
        acceptValueOnBlur
        value={products}
        onChange={(products) => change({ products })}
        error={errors.products}
      />
      <Stack gap="xs" component="section" aria-labelledby="edit-proofs">
        <div>
          <Text size="sm" fw={600} id="edit-proofs">
            Proofs
          </Text>
          <Text size="sm" c="dimmed">
            What customers achieved with you. Each message uses the one that fits the account’s industry and size.
          </Text>
        </div>
        {proofs.map((proof, at) => (
          <ProofFields
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled and have no state of their own
            key={at}
            number={at + 1}
            proof={proof}
            errorOf={(field) => errors[`proofs.${at}.${field}`]}
            onChange={(part) => setProof(at, part)}
            onRemove={() => change({ proofs: proofs.toSpliced(at, 1) })}
          />
        ))}
        {proofs.length < MAX_PROOFS && (
          <Button
            variant="default"
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => change({ proofs: [...proofs, NO_PROOF] })}
          >
            Add proof
          </Button>
        )}
      </Stack>
    </FormDialog>
  )
}

type ProofFieldsProps = {
  number: number
  proof: Proof
  errorOf: (field: keyof Proof) => string | undefined
  onChange: (part: Partial<Proof>) => void
  onRemove: () => void
}

function ProofFields({ number, proof, errorOf, onChange, onRemove }: ProofFieldsProps) {
  const { customer, result, industry, min_employees, max_employees } = proof
  const employees = (label: string, field: 'min_employees' | 'max_employees', value: number | null) => (
    <NumberInput
      label={label}
      size="sm"
      placeholder="Any"
      min={0}
      allowNegative={false}
      allowDecimal={false}
      thousandSeparator=","
      hideControls
      value={value ?? ''}
      onChange={(value) => onChange({ [field]: typeof value === 'number' ? value : null })}
      error={errorOf(field)}
    />
  )
  return (
    <Card withBorder padding="sm" role="group" aria-label={`Proof ${number}`}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label="Customer"
            required
            maxLength={120}
            value={customer}
            onChange={(event) => onChange({ customer: event.currentTarget.value })}
            error={errorOf('customer')}
          />
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Remove proof ${number}`} onClick={onRemove}>
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <TextInput
          label="Result"
          placeholder="cut its month-end close from nine days to four"
          required
          maxLength={300}
          value={result}
          onChange={(event) => onChange({ result: event.currentTarget.value })}
          error={errorOf('result')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          <TextInput
            label="For industry"
            placeholder="Any"
            maxLength={120}
            value={industry ?? ''}
            onChange={(event) => onChange({ industry: event.currentTarget.value || null })}
            error={errorOf('industry')}
          />
          <SimpleGrid cols={2} spacing="xs">
            {employees('Employees from', 'min_employees', min_employees)}
            {employees('Employees to', 'max_employees', max_employees)}
          </SimpleGrid>
        </SimpleGrid>
      </Stack>
    </Card>
  )
}
