import { BRIEF_FINDING, formatFinding, toFindingRecord } from '../records/finding.ts'
import { formatAccountSummary, toAccountSummary } from '../records/listed.ts'
import { ToolError } from '../shared/errors.ts'
import { quoteName } from '../shared/quoted.ts'
import { findOwner } from '../shared/resolve.ts'
import { type PromptDefinition, userMessage } from './define.ts'
import { EVIDENCE_RULES } from './gather.ts'

const FINDINGS = 20
const ACCOUNTS = 10
const DAY_MS = 86_400_000

export const weeklyReviewPrompt: PromptDefinition = {
  name: 'weekly_review',
  title: 'Weekly account review',
  description: 'What happened at the accounts of a member in a week, and what to do about it.',
  arguments: [
    {
      name: 'owner',
      description: 'Whose accounts: "me" (unless given), or the name, email or id of a member',
      required: false,
      async complete(client, typed) {
        const fits = (text: string) => text.toLowerCase().includes(typed.toLowerCase())
        const members = (await client.get('/v1/members')).filter(({ name, email }) => fits(name) || fits(email))
        return [...['me'].filter(fits), ...members.map(({ email }) => email)]
      },
    },
    {
      name: 'days',
      description: 'Of so many days, 7 unless given',
      required: false,
      complete: async (_client, typed) => ['7', '14', '30', '90'].filter((one) => one.startsWith(typed)),
    },
  ],
  async messages(client, { owner = 'me', days = '7' }) {
    const count = Number(days)
    if (!Number.isInteger(count) || count < 1 || count > 365)
      throw new ToolError('`days` must be a number from 1 to 365, such as 7.')
    const owner_id = await findOwner(client, owner)
    const since = new Date(Date.now() - count * DAY_MS).toISOString()
    const [news, hottest] = await Promise.all([
      client.get('/v1/detections', { query: { owner_id, since, per_page: FINDINGS } }),
      client.get('/v1/accounts', { query: { owner_id, status: 'active', per_page: ACCOUNTS } }),
    ])
    const found = news.data.map((one) =>
      formatFinding(toFindingRecord(one, BRIEF_FINDING), ` at ${quoteName(one.account.name)}`),
    )
    const more = news.pagination.total - found.length
    return [
      userMessage(
        `Review ${owner === 'me' ? 'my accounts' : `the accounts of ${quoteName(owner)}`} for the last ${count} days: what changed and where, the three accounts to work on first and why, the next step for each, and accounts that went quiet. ${EVIDENCE_RULES}`,
      ),
      userMessage(
        `Active accounts, the highest score first:\n${hottest.data.map((one) => formatAccountSummary(toAccountSummary(one))).join('\n') || 'None.'}`,
      ),
      userMessage(
        `Found in this time${more > 0 ? ` (${more} more: whats_new)` : ''}:\n\n${found.join('\n\n') || 'Nothing.'}`,
      ),
    ]
  },
}
