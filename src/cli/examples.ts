import type { Command } from 'commander'

/** Examples for the commands that run on the service's machine. Remote commands define their own. */
const EXAMPLES: Readonly<Record<string, string>> = {
  mcp: 'mcp --profile work',
  serve: 'serve --only worker',
  migrate: 'migrate --check',
  distribute: 'distribute         with DATABASE_URL of the coordinator',
  backup: 'backup /mnt/backups        or s3://bucket/folder; the key is in BACKUP_KEY',
  'backup verify': 'backup verify /mnt/backups --restore',
  'backup list': 'backup list s3://bucket/folder',
  restore: 'restore /mnt/backups/bellwether-1f3a9c02-2026-11-18T02-00-00Z.backup',
  'workspaces list': 'workspaces list',
  'workspaces create':
    'workspaces create Harrow --domain harrow.example --admin-name Ada --admin-email ada@harrow.example',
  'workspaces set-domain': 'workspaces set-domain harrow.example',
  'members list': 'members list',
  'members add': 'members add Kim kim@harrow.example --visibility scoped',
  'members update': 'members update 01890a5d-ac96-774b-bcce-b302099a8057 --role admin',
  'members remove': 'members remove 01890a5d-ac96-774b-bcce-b302099a8057',
  'keys list': 'keys list',
  'secrets rotate': 'secrets rotate --new-key-file new.key',
  'secrets finish': 'secrets finish',
  'secrets cancel': 'secrets cancel',
  'keys create': 'keys create nightly --scope read --expires 2027-01-31',
  'keys revoke': 'keys revoke 01890a5d-ac96-774b-bcce-b302099a8057',
  doctor: 'doctor --json',
  'sources check': 'sources check --company Harrow --domain harrow.example --board greenhouse:harrow',
  'sign-in': 'sign-in --member kim@harrow.example',
  'audit verify': 'audit verify --json',
  'audit forget': 'audit forget 01890a5d-ac96-774b-bcce-b302099a8057',
  connect: 'connect crm_one        with the token in BELLWETHER_CONNECT_TOKEN',
  disconnect: 'disconnect crm_one',
  connections: 'connections --json',
  'import accounts': 'import accounts accounts.csv --dry-run --report rejected.csv',
  'import people': 'import people people.csv --column email="Work email"',
  'import companies': 'import companies companies.csv.gz',
  'export feedback': 'export feedback --out feedback.ndjson',
}

/** Adds an example to the help of each command. */
export function addExamples(program: Command, at: string[] = []): void {
  for (const command of program.commands) {
    const path = [...at, command.name()]
    const example = EXAMPLES[path.join(' ')]
    if (example) command.addHelpText('after', `\nExample:\n  bellwether ${example}`)
    addExamples(command, path)
  }
}
