// The console in a real browser, one file per page, on one service: accounts, people, discovery and signals.
// Split with console-team.test.ts, because one process would take much longer than all other test files.
import './console/shell.ts'
import './console/account.ts'
import './console/accounts.ts'
import './console/discover.ts'
import './console/people.ts'
import './console/signals.ts'
