import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  Paper,
  Select,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { PageLink } from '../../components/links.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import classes from './accounts.module.css'
import type { FileOptions, Preview } from './import-file.ts'

type Props = {
  file: File
  preview: Preview
  options: FileOptions
  /** The preview is being updated with the changed options. */
  isReading: boolean
  isSending: boolean
  problem: string | null
  onChange: (changes: FileOptions) => void
  onTag: (tag: string) => void
  onImport: () => void
}

const FIELDS: Record<string, string> = {
  name: 'Company name',
  domain: 'Domain or website',
  website: 'Website (if no domain)',
  email: 'Email (if no domain)',
  tags: 'Tags',
  owner: 'Owner',
  employees: 'Employees',
  industry: 'Industry',
  location: 'Location',
  country: 'Country',
  network_url: 'LinkedIn or profile URL',
  short_description: 'Description',
}
const ENCODINGS = [
  { value: 'utf-8', label: 'Unicode (UTF-8)' },
  { value: 'windows-1252', label: 'Western (Windows-1252)' },
  { value: 'utf-16le', label: 'Unicode (UTF-16 LE)' },
  { value: 'utf-16be', label: 'Unicode (UTF-16 BE)' },
]
const DELIMITERS = [
  { value: 'comma', label: 'Comma ,' },
  { value: 'semicolon', label: 'Semicolon ;' },
  { value: 'tab', label: 'Tab' },
]
const OUTCOMES = {
  created: { label: 'New', color: 'bell' },
  existing: { label: 'Existing', color: 'gray' },
  rejected: { label: 'Skipped', color: 'red' },
} as const

/** The contents of a file and the expected result. Detected options can be changed before the import. */
export function ImportPreview(props: Props) {
  const { file, preview, options, isReading, isSending, problem, onChange, onTag, onImport } = props
  return (
    <Stack gap="lg" aria-busy={isReading} className={isReading ? classes.stale : undefined}>
      <Paper withBorder p="md" component="section" aria-label="Import summary">
        <Group justify="space-between" align="flex-end" gap="md">
          <div>
            <Title order={2}>{file.name}</Title>
            <Text size="sm" role="status">
              {pluralize(preview.rows, 'row')}: <b>{formatNumber(preview.created)} new</b>,{' '}
              {formatNumber(preview.existing)} existing
              {preview.rejected > 0 && (
                <>
                  , <b>{formatNumber(preview.rejected)} skipped</b>
                </>
              )}
              .
            </Text>
          </div>
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Tag new accounts"
              placeholder="Optional"
              value={options.tag ?? ''}
              maxLength={60}
              onChange={(event) => onTag(event.currentTarget.value)}
              w={180}
            />
            <Button onClick={onImport} loading={isSending} disabled={preview.created === 0 || isReading}>
              {preview.created === 0 ? 'No new accounts' : `Import ${pluralize(preview.created, 'account')}`}
            </Button>
          </Group>
        </Group>
        {(problem ?? preview.failure) && (
          <Alert color="red" variant="light" mt="md" icon={<CircleAlert size={18} aria-hidden />} role="alert">
            {problem ?? preview.failure}
          </Alert>
        )}
      </Paper>
      <Warnings preview={preview} options={options} onChange={onChange} />
      <Layout preview={preview} onChange={onChange} />
      <Columns preview={preview} options={options} onChange={onChange} />
      <Duplicates preview={preview} />
      <RowErrors errors={preview.errors} total={preview.rejected} />
      <FirstRows preview={preview} />
    </Stack>
  )
}

type Part = Pick<Props, 'preview' | 'onChange'>

/** What to correct before the import. Names are compared with the companies that discovery searches. */
function Warnings({ preview, options, onChange }: Part & Pick<Props, 'options'>) {
  const { warnings, completable } = preview
  if (warnings.length === 0 && !options.fill_domains) return null
  const hasNoColumn = warnings.some(({ code }) => code === 'no_domain_column')
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<TriangleAlert size={18} aria-hidden />}
      // The yellow of the title has too little contrast.
      title={
        <Text inherit c="var(--mantine-color-text)" span>
          {hasNoColumn ? 'No domain column' : 'Check before you import'}
        </Text>
      }
      role="alert"
    >
      <Stack gap={6}>
        {warnings.map(({ code, message }) => (
          <Text key={code} size="sm">
            {message}
          </Text>
        ))}
        {(completable > 0 || options.fill_domains) && (
          <Checkbox
            label="Fill in missing domains by company name"
            description="From the companies you imported for Discover, where exactly one has the name"
            checked={options.fill_domains ?? false}
            onChange={(event) => onChange({ fill_domains: event.currentTarget.checked })}
          />
        )}
      </Stack>
    </Alert>
  )
}

/** Rows that repeat an account or an earlier row; they are not imported again. */
function Duplicates({ preview: { duplicates, existing } }: Pick<Props, 'preview'>) {
  if (duplicates.length === 0) return null
  return (
    <section aria-label="Duplicates">
      <Title order={2} mb="xs">
        {pluralize(existing, 'duplicate')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        These rows are not added again and change nothing.
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className={`${classes.scroll} ${classes.errors}`} aria-label="Duplicate rows" tabIndex={0}>
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {duplicates.map(({ line, name, account, same_as_line }) => (
              <Table.Tr key={line}>
                <Table.Th scope="row" w={110}>
                  Line {formatNumber(line)}
                </Table.Th>
                <Table.Td>{name}</Table.Td>
                <Table.Td>
                  {account ? (
                    <>
                      Existing account{' '}
                      <PageLink to="/accounts/$id" params={{ id: account.id }} target="_blank" inherit>
                        {account.name}
                        {account.domain && ` (${account.domain})`}
                      </PageLink>
                    </>
                  ) : (
                    `Same company as line ${formatNumber(same_as_line ?? 0)}`
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {existing > duplicates.length && (
        <Text size="sm" c="dimmed" mt={4}>
          and {formatNumber(existing - duplicates.length)} more
        </Text>
      )}
    </section>
  )
}

function Layout({ preview, onChange }: Part) {
  return (
    <Group gap="md" align="flex-end">
      <Select
        label="Encoding"
        data={ENCODINGS}
        value={preview.encoding}
        allowDeselect={false}
        onChange={(encoding) => encoding && onChange({ encoding: encoding as Preview['encoding'] })}
        w={250}
      />
      <Select
        label="Delimiter"
        data={DELIMITERS}
        value={preview.delimiter}
        allowDeselect={false}
        onChange={(delimiter) => delimiter && onChange({ delimiter: delimiter as Preview['delimiter'], columns: {} })}
        w={150}
      />
      <Switch
        label="First row is a header"
        checked={preview.has_header}
        onChange={(event) => onChange({ has_header: event.currentTarget.checked, columns: {} })}
        mb={8}
      />
    </Group>
  )
}

/** Maps columns to fields. A field that is chosen here is removed from its previous column. */
function Columns({ preview, options, onChange }: Part & Pick<Props, 'options'>) {
  const choose = (at: number, field: string | null) => {
    const before = preview.columns[at]?.field
    const columns = { ...options.columns }
    if (before) columns[before] = 0
    if (field) columns[field] = at + 1
    onChange({ columns })
  }
  const data = preview.fields.map((value) => ({ value, label: FIELDS[value] ?? value }))
  return (
    <section aria-label="Columns">
      <Title order={2} mb="xs">
        Columns
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className={classes.scroll} aria-label="Column mapping" tabIndex={0}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Column in file</Table.Th>
              <Table.Th visibleFrom="sm">Sample data</Table.Th>
              <Table.Th w={{ base: 190, sm: 240 }}>Import as</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.columns.map(({ header, field, samples }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no identity except its position
              <Table.Tr key={at}>
                <Table.Td>
                  <Text size="sm" fw={600}>
                    {header}
                  </Text>
                  <Text size="xs" c="dimmed" truncate maw={130} hiddenFrom="sm">
                    {samples[0] ?? 'Empty'}
                  </Text>
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <Text size="sm" c="dimmed" lineClamp={1}>
                    {samples.join(' · ') || 'Empty'}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    miw={170}
                    aria-label={`Import ${header} as`}
                    placeholder="Do not import"
                    clearable
                    data={data}
                    value={field}
                    onChange={(field) => choose(at, field)}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </section>
  )
}

export function RowErrors({ errors, total }: { errors: Preview['errors']; total: number }) {
  if (errors.length === 0) return null
  return (
    <section aria-label="Skipped rows">
      <Title order={2} mb="xs">
        {pluralize(total, 'row')} skipped
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className={`${classes.scroll} ${classes.errors}`} aria-label="Skipped rows and reasons" tabIndex={0}>
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {errors.map(({ line, reason }) => (
              <Table.Tr key={line}>
                <Table.Th scope="row" w={110}>
                  Line {formatNumber(line)}
                </Table.Th>
                <Table.Td>
                  <Text size="sm">{reason}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {total > errors.length && (
        <Text size="sm" c="dimmed" mt={4}>
          and {formatNumber(total - errors.length)} more
        </Text>
      )}
    </section>
  )
}

function FirstRows({ preview: { preview, columns, errors } }: Pick<Props, 'preview'>) {
  const used = columns.flatMap(({ field }) => field ?? [])
  // Websites and email addresses are shown as the domain that was read from them.
  const shown = ['name', 'domain', ...used.filter((field) => !/^(?:name|domain|website|email)$/.test(field))]
  return (
    <section aria-label="Preview">
      <Title order={2} mb="xs">
        Preview
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className={classes.scroll} aria-label="Preview rows" tabIndex={0}>
        <Table verticalSpacing={6} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              <Table.Th>Status</Table.Th>
              {shown.map((field) => (
                <Table.Th key={field}>{FIELDS[field] ?? field}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.map(({ line, outcome, account }) => (
              <Table.Tr key={line}>
                <Table.Td>{line}</Table.Td>
                <Table.Td>
                  <Badge variant="light" tt="none" color={OUTCOMES[outcome].color}>
                    {OUTCOMES[outcome].label}
                  </Badge>
                </Table.Td>
                {account ? (
                  shown.map((field) => (
                    <Table.Td key={field} maw={240}>
                      <Text size="sm" lineClamp={1}>
                        {cellOf(account, field)}
                      </Text>
                    </Table.Td>
                  ))
                ) : (
                  <Table.Td colSpan={shown.length}>
                    <Text size="sm" c="dimmed">
                      {errors.find((error) => error.line === line)?.reason}
                    </Text>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </section>
  )
}

function cellOf(account: NonNullable<Preview['preview'][number]['account']>, field: string): string {
  if (field === 'owner') return account.owner_id ? 'Yes' : 'None'
  const value = account[field as keyof typeof account]
  return Array.isArray(value) ? value.join(', ') : (value?.toString() ?? '')
}
