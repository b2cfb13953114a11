import { formatPerson, toPersonRecord } from '../records/person.ts'
import { completeAccount } from '../resources/account.ts'
import { quoteName, UNTRUSTED_NOTICE } from '../shared/quoted.ts'
import { findAccount } from '../shared/resolve.ts'
import { type PromptDefinition, userMessage } from './define.ts'
import { accountMessage, EVIDENCE_RULES, knowledgeMessages } from './gather.ts'

const PEOPLE = 8

export const prepareCallPrompt: PromptDefinition = {
  name: 'prepare_call',
  title: 'Prepare a call',
  description: 'A one-page brief for a call with an account: why now, whom to ask for, what to say and ask.',
  arguments: [{ name: 'account', description: 'Domain, exact name or id', required: true, complete: completeAccount }],
  async messages(client, { account = '' }) {
    const { id, name } = await findAccount(client, account)
    const [about, knowledge, people] = await Promise.all([
      accountMessage(client, id),
      knowledgeMessages(client),
      client.get('/v1/people', { query: { account_id: id, per_page: PEOPLE } }),
    ])
    const known = people.data.map((one) => formatPerson(toPersonRecord(one)))
    return [
      userMessage(
        `Prepare me for a call with ${quoteName(name)}. Write one page: why now (with sources), whom to ask for, three points that connect their news to what we sell, five questions, and what we do not know. ${EVIDENCE_RULES}`,
      ),
      about,
      ...knowledge,
      userMessage(
        known.length > 0
          ? `People known there. ${UNTRUSTED_NOTICE}\n${known.join('\n')}`
          : 'Nobody is known there yet: find_people finds people.',
      ),
    ]
  },
}
