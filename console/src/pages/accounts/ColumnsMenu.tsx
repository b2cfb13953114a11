import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Columns3 } from 'lucide-react'
import { COLUMNS, type Column } from './columns.tsx'

const DEFAULT_COLUMNS = COLUMNS.filter(({ isDefault }) => isDefault).map(({ key }) => key)

/** The visible columns, stored in this browser. */
export function useColumns() {
  const [chosen, choose] = useLocalStorage({ key: 'accounts.columns', defaultValue: DEFAULT_COLUMNS })
  const shown: readonly Column[] = COLUMNS.filter(({ key }) => chosen.includes(key))
  return { chosen, choose, shown }
}

export function ColumnsMenu({ chosen, choose }: Pick<ReturnType<typeof useColumns>, 'chosen' | 'choose'>) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={16} aria-hidden />} visibleFrom="sm">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group label="Columns" value={chosen} onChange={choose}>
          <Stack gap={8} mt={8}>
            {COLUMNS.map(({ key, label }) => (
              <Checkbox key={key} value={key} label={label} size="sm" />
            ))}
          </Stack>
        </Checkbox.Group>
        <Button mt="sm" size="compact-sm" variant="subtle" onClick={() => choose(DEFAULT_COLUMNS)}>
          Reset to default
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
