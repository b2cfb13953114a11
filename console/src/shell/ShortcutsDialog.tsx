import { Kbd, Modal, Table } from '@mantine/core'
import { PAGES } from './navigation.ts'
import { isShortcutsDialogOpen } from './overlays.ts'

const EVERYWHERE: [keys: string[], what: string][] = [
  [['Ctrl', 'K'], 'Search accounts, people, pages and actions'],
  [['?'], 'Show these keys'],
  [['Esc'], 'Close what is open'],
]

const TRIAGE: [keys: string[], what: string][] = [
  [['j'], 'Next suggestion'],
  [['k'], 'Suggestion before'],
  [['a'], 'Activate'],
  [['r'], 'Reject'],
  [['o'], 'Open the account'],
  [['u'], 'Undo'],
]

/** The keys that do something, shown by `?`. */
export function ShortcutsDialog() {
  return (
    <Modal opened onClose={() => isShortcutsDialogOpen.set(false)} title="Keys">
      <ShortcutTable caption="Everywhere" rows={EVERYWHERE} />
      <ShortcutTable caption="Go to a page" rows={PAGES.map(({ key, label }) => [['g', key], label])} />
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
