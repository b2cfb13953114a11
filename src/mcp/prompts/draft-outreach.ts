import { personText, person as shown } from '../records/person.ts'
import { completeAccount } from '../resources/account.ts'
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
    { name: 'person', description: 'To whom: exact full name or id', required: false },
  ],
  async messages(client, { account = '', person }) {
    const { id, name } = await findAccount(client, account)
    const [about, knowledge, reader] = await Promise.all([
      accountMessage(client, id),
      knowledgeMessages(client),
      person ? findPerson(client, person).then((one) => client.get('/v1/people/{id}', { path: { id: one } })) : null,
    ])
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
