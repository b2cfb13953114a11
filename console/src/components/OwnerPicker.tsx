import { Select, type SelectProps } from '@mantine/core'
import { useMembers } from '../api/members.ts'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string | null
  onChange: (ownerId: string | null) => void
}

const NO_OWNER = 'none'

/** Selects a member, or no owner. */
export function OwnerPicker({ value, onChange, ...rest }: Props) {
  const { members, nameOf } = useMembers()
  const known = members.map(({ id, name }) => ({ value: id, label: name }))
  // An owner who left, or is not loaded yet, stays selectable.
  const missing = value !== null && !members.some(({ id }) => id === value)
  const data = [
    { value: NO_OWNER, label: 'No owner' },
    ...known,
    ...(missing ? [{ value, label: nameOf(value) as string }] : []),
  ]
  return (
    <Select
      aria-label="Owner"
      allowDeselect={false}
      checkIconPosition="right"
      searchable={members.length > 8}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      {...rest}
      data={data}
      value={value ?? NO_OWNER}
      onChange={(chosen) => onChange(chosen === NO_OWNER ? null : chosen)}
    />
  )
}
