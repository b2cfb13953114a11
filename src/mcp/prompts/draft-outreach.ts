import type { Bellwether } from '@bellwether/client'
import { personText, person as shown } from '../records/person.ts'
import { completeAccount } from '../resources/account.ts'
import { FEW } from '../resources/define.ts'
import { explain, ToolError } from '../shared/errors.ts'
import { NOTICE, named } from '../shared/quoted.ts'
import { findAccount, findPerson } from '../shared/resolve.ts'
import { embed, type Prompt, say } from './define.ts'
import { accountMessage, knowledgeMessages, RULES } from './gather.ts'

export const draftOutreach: Prompt = {
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
      throw new ToolError(`${named(reader.full_name)} is at ${named(reader.account_name)}, not at ${named(name)}.`)
    const to = reader ? ` to ${named(reader.full_name)}` : ''
    return [
      say(
        `Draft a first message${to} at ${named(name)}: at most 120 words, one event from the evidence in the first sentence, one link to what we sell, one question, no flattery. Then list which evidence it rests on, with sources. ${RULES}`,
      ),
      about,
      ...knowledge,
      ...(reader ? [embed(`bellwether://people/${reader.id}`, `${NOTICE}\n${personText(shown(reader))}`)] : []),
    ]
  },
}

/** Names of those at the account, where it is known already; ids where two have the same name. */
async function completePerson(client: Bellwether, typed: string, { account }: Record<string, string>) {
  const account_id = account ? (await findAccount(client, account).catch(unlessRefused))?.id : undefined
  const query = { search: typed.slice(0, 300), per_page: FEW, ...(account_id ? { account_id } : {}) }
  const { data } = await client.get('/v1/people', { query })
  const count = (name: string) => data.filter(({ full_name }) => full_name === name).length
  return data.map(({ id, full_name }) => (count(full_name) > 1 ? id : full_name))
}

/** What is half typed names no account yet. */
function unlessRefused(error: unknown): null {
  if (explain(error) !== null) return null
  throw error
}
