import type { Bellwether } from '@bellwether/client'
import { formatPerson, toPersonRecord as shown } from '../records/person.ts'
import { completeAccount } from '../resources/account.ts'
import { MAX_LISTED } from '../resources/define.ts'
import { describeError, ToolError } from '../shared/errors.ts'
import { quoteName, UNTRUSTED_NOTICE } from '../shared/quoted.ts'
import { findAccount, findPerson } from '../shared/resolve.ts'
import { type PromptDefinition, resourceMessage, userMessage } from './define.ts'
import { accountMessage, EVIDENCE_RULES, knowledgeMessages } from './gather.ts'

export const draftOutreachPrompt: PromptDefinition = {
  name: 'draft_outreach',
  title: 'Draft an outreach from evidence',
  description: 'A first message to somebody at an account that names what happened there and why it matters to them.',
  arguments: [
    { name: 'account', description: 'Domain, exact name or id', required: true, complete: completeAccount },
    { name: 'person', description: 'To whom: exact full name or id', required: false, complete: completePerson },
  ],
  async messages(client, { account = '', person }) {
    const { id, name } = await findAccount(client, account)
    const [about, knowledge, reader] = await Promise.all([
      accountMessage(client, id),
      knowledgeMessages(client),
      person
        ? findPerson(client, person, id).then((one) => client.get('/v1/people/{id}', { path: { id: one } }))
        : null,
    ])
    if (reader && reader.account_id !== id)
      throw new ToolError(
        `${quoteName(reader.full_name)} is at ${quoteName(reader.account_name)}, not at ${quoteName(name)}.`,
      )
    const to = reader ? ` to ${quoteName(reader.full_name)}` : ''
    return [
      userMessage(
        `Draft a first message${to} at ${quoteName(name)}: at most 120 words, one event from the evidence in the first sentence, one link to what we sell, one question, no flattery. Then list which evidence it rests on, with sources. ${EVIDENCE_RULES}`,
      ),
      about,
      ...knowledge,
      ...(reader
        ? [resourceMessage(`bellwether://people/${reader.id}`, `${UNTRUSTED_NOTICE}\n${formatPerson(shown(reader))}`)]
        : []),
    ]
  },
}

/** Names of those at the account, where it is known already; ids where two have the same name. */
async function completePerson(client: Bellwether, typed: string, { account }: Record<string, string>) {
  const account_id = account ? (await findAccount(client, account).catch(unlessRefused))?.id : undefined
  const query = { search: typed.slice(0, 300), per_page: MAX_LISTED, ...(account_id ? { account_id } : {}) }
  const { data } = await client.get('/v1/people', { query })
  const count = (name: string) => data.filter(({ full_name }) => full_name === name).length
  return data.map(({ id, full_name }) => (count(full_name) > 1 ? id : full_name))
}

/** What is half typed names no account yet. */
function unlessRefused(error: unknown): null {
  if (describeError(error) !== null) return null
  throw error
}
