import { Type } from 'typebox'
import { AccountReport, formatAccountReport, readAccountReport } from '../records/account.ts'
import { defineTool, READ_ONLY, ToolArguments } from '../shared/define.ts'

export const readAccountTool = defineTool({
  name: 'read_account',
  title: 'Read an account',
  description:
    'Reads one account: why its score is what it is, why now, the signals that were found with the sentence that proves each and its source, the drafted message, and how many people are known. Use it before a call or a message. Costs nothing.',
  input: ToolArguments(
    {
      account: Type.String({ minLength: 1, maxLength: 300, description: 'Its id, its domain or its exact name' }),
      full: Type.Boolean({
        default: false,
        description:
          'true: up to 25 signals with every proof and every draft. Long; ask for it when the short answer is not enough',
      }),
      skip: Type.Integer({ minimum: 0, default: 0, description: 'Signals to leave out from the front, to read on' }),
    },
    { account: 'northwind.example' },
  ),
  output: AccountReport,
  annotations: READ_ONLY,
  run: (client, { account, ...how }) => readAccountReport(client, account, how),
  text: formatAccountReport,
})
