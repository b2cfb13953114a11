import { Kbd, Modal, Table } from '@mantine/core'
import { QUEUE_KEYS } from '../lib/queue-keys.ts'
import { PAGES } from './navigation.ts'
import { isShortcutsDialogOpen } from './overlays.ts'

const EVERYWHERE: [keys: string[], what: string][] = [
  [['Ctrl', 'K'], 'Search accounts, people, pages and actions'],
  [['?'], 'Show keyboard shortcuts'],
  [['Esc'], 'Close'],
]

const TRIAGE: [keys: string[], what: string][] = [
  [['j'], 'Next suggestion'],
  [['k'], 'Previous suggestion'],
  [['a'], 'Activate'],
  [['r'], 'Reject'],
  [['o'], 'Open account'],
  [['u'], 'Undo'],
]

/** The list of keyboard shortcuts, opened with `?`. */
export function ShortcutsDialog() {
  return (
    <Modal opened onClose={() => isShortcutsDialogOpen.set(false)} title="Keyboard shortcuts">
      <ShortcutTable caption="Global" rows={EVERYWHERE} />
      <ShortcutTable caption="Go to page" rows={PAGES.map(({ key, label }) => [['g', key], label])} />
      <ShortcutTable caption="On Today" rows={QUEUE_KEYS} />
      <ShortcutTable caption="On Suggested" rows={TRIAGE} />
    </Modal>
  )
}

function ShortcutTable({ caption, rows }: { caption: string; rows: readonly (readonly [string[], string])[] }) {
  return (
    <Table captionSide="top" withRowBorders={false} verticalSpacing={4} mb="sm">
      <Table.Caption ta="left">{caption}</Table.Caption>
      <Table.Tbody>
        {rows.map(([keys, what]) => (
          <Table.Tr key={what}>
            <Table.Td w={110}>
              {keys.map((key) => (
                <Kbd key={key} mr={4}>
                  {key}
                </Kbd>
              ))}
            </Table.Td>
            <Table.Td>{what}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
