import { Checkbox, Group, Table, Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMembers } from '../../api/members.ts'
import { AccountStatusBadge } from '../../components/AccountBadges.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useFirstRows } from '../../lib/use-first-rows.ts'
import classes from './accounts.module.css'
import { type Column, Company, type ListedAccount, ScoreBar } from './columns.tsx'
import type { AccountsSearch } from './search.ts'
import type { Selection } from './selection.tsx'

type Props = {
  accounts: readonly ListedAccount[]
  columns: readonly Column[]
  search: AccountsSearch
  change: (changes: Partial<AccountsSearch>) => void
  /** Null for read-only keys, which have no bulk actions. */
  selection: Selection | null
  /** The rows are from the previous query while the next one loads. */
  isStale: boolean
}

/** The rows that fill a high window. */
const FIRST_ROWS = 25
const SCROLL_ID = 'accounts'

/** The list as a table, or as cards on narrow screens. */
export function AccountsTable(props: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  return isNarrow ? <Cards {...props} /> : <Rows {...props} />
}

function Rows({ accounts, columns, search, change, selection, isStale }: Props) {
  const { nameOf } = useMembers()
  const rows = useFirstRows(accounts, FIRST_ROWS, SCROLL_ID)
  const shown = `${classes.scroll} ${classes.long} ${isStale ? classes.stale : ''}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className={shown} aria-label="Accounts" tabIndex={0} data-scroll-restoration-id={SCROLL_ID}>
      <Table highlightOnHover verticalSpacing={8} horizontalSpacing={10} aria-busy={isStale}>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={40}>
                <SelectPage selection={selection} accounts={accounts} />
              </Table.Th>
            )}
            <Table.Th scope="col">Company</Table.Th>
            {columns.map((column) => (
              <Heading key={column.key} column={column} search={search} change={change} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((account) => (
            <tr key={account.id} className={classes.row} data-selected={selection?.has(account.id) || undefined}>
              {selection && (
                <td>
                  <SelectOne selection={selection} account={account} />
                </td>
              )}
              <td>
                <Company account={account} />
              </td>
              {columns.map(({ key, numeric, cell }) => (
                <td key={key} className={numeric ? classes.numeric : undefined}>
                  {cell(account, nameOf)}
                </td>
              ))}
            </tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

type HeadingProps = Pick<Props, 'search' | 'change'> & { column: Column }

function Heading({ column: { label, sort, numeric }, search, change }: HeadingProps) {
  const { sort: by = 'score', order = 'desc' } = search
  const isBy = sort === by
  const Arrow = order === 'desc' ? ArrowDown : ArrowUp
  return (
    <Table.Th
      scope="col"
      ta={numeric ? 'right' : undefined}
      aria-sort={isBy ? (order === 'desc' ? 'descending' : 'ascending') : undefined}
    >
      {sort ? (
        <UnstyledButton
          className={classes.sort}
          onClick={() => change({ sort, order: isBy && order === 'desc' ? 'asc' : 'desc' })}
        >
          {label}
          {isBy && <Arrow size={13} aria-hidden />}
        </UnstyledButton>
      ) : (
        label
      )}
    </Table.Th>
  )
}

function Cards({ accounts, selection, isStale }: Props) {
  const rows = useFirstRows(accounts, FIRST_ROWS)
  return (
    <ul className={`${classes.cards} ${isStale ? classes.stale : ''}`} aria-label="Accounts">
      {rows.map((account) => (
        <li key={account.id}>
          <Group wrap="nowrap" gap="sm" align="flex-start">
            {selection && <SelectOne selection={selection} account={account} size="md" />}
            <div style={{ flex: 1, minWidth: 0 }}>
              <Group wrap="nowrap" justify="space-between" gap="xs">
                <Company account={account} />
                <ScoreBar score={account.score} isHot={account.is_hot} />
              </Group>
              <Group gap="xs" mt={6}>
                <AccountStatusBadge status={account.status} />
                <Text size="xs" c="dimmed">
                  {account.last_signal_at ? (
                    <>
                      Last signal <RelativeTime at={account.last_signal_at} />
                    </>
                  ) : (
                    'No signals yet'
                  )}
                </Text>
              </Group>
            </div>
          </Group>
        </li>
      ))}
    </ul>
  )
}

type SelectOneProps = { selection: Selection; account: ListedAccount; size?: 'sm' | 'md' }

function SelectOne({ selection, account: { id, name }, size = 'sm' }: SelectOneProps) {
  return (
    <input
      type="checkbox"
      className={size === 'md' ? classes.largeCheck : classes.check}
      aria-label={`Select ${name}`}
      checked={selection.has(id)}
      onChange={(event) => selection.set([id], event.currentTarget.checked)}
    />
  )
}

function SelectPage({ selection, accounts }: { selection: Selection; accounts: readonly ListedAccount[] }) {
  const ids = accounts.map(({ id }) => id)
  const chosen = ids.filter(selection.has).length
  return (
    <Checkbox
      size="sm"
      aria-label="Select all on this page"
      checked={chosen === ids.length}
      indeterminate={chosen > 0 && chosen < ids.length}
      onChange={(event) => selection.set(ids, event.currentTarget.checked)}
    />
  )
}
