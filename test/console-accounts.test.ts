// The console in a real browser, one file a page, on one service: accounts, who works there, and how and why they are found.
// In two halves (the other is console-team.test.ts), because one process would work long after all others have ended.
import './console/shell.ts'
import './console/account.ts'
import './console/accounts.ts'
import './console/discover.ts'
import './console/people.ts'
import './console/signals.ts'
