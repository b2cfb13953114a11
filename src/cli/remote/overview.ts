import type { Command } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { withStyle } from '../terminal/output.ts'
import { formatDay } from './format-time.ts'
import { remoteCommand, withSession } from './session.ts'
import { readProviderLabels } from './tables.ts'

export function overviewCommands(program: Command, io: TerminalIo): void {
  remoteCommand(program, 'usage', null, ['usage']).action(
    withSession(io, async ({ client, out, json }) => {
      const usage = await client.get('/v1/usage')
      if (json) return out.json(usage)
      out.pairs([
        ['period', `${formatDay(usage.period_start)} to ${formatDay(usage.period_end)}`],
        ['credits used', usage.credits_used],
        ['credits left', usage.credits_left],
        ['accounts', `${usage.accounts}, ${usage.accounts_active} active`],
        ['people', usage.people],
        ['signals', `${usage.signals_enabled} enabled`],
        ['members', usage.members],
      ])
    }),
  )

  remoteCommand(program, 'status', null, ['status']).action(
    withSession(io, async ({ client, out, json }) => {
      const [me, integrations, attention, labelOf] = await Promise.all([
        client.get('/v1/me'),
        client.get('/v1/integrations'),
        client.get('/v1/attention'),
        readProviderLabels(client),
      ])
      if (json) return out.json({ me, integrations, attention })
      const { crms, chat, webhook, webhook_destinations, email_verification, reader, mcp, providers } = integrations
      const onOff = (on: boolean, problem: string | null = null) => problem ?? (on ? 'on' : 'off')
      out.pairs([
        ['member', `${me.member.name} (${me.member.email}), ${me.member.role}${me.read_only ? ', read-only' : ''}`],
        ['workspace', me.workspace.name],
        ['version', me.version],
        [
          'crm',
          crms
            .map(({ provider, problem }) => `${labelOf(provider)}${problem ? `: ${problem}` : ''}`)
            .join(crms.some(({ problem }) => problem) ? '; ' : ', ') || 'off',
        ],
        ['chat', onOff(chat.connected, chat.problem)],
        ['alert webhook', onOff(webhook.enabled, webhook.problem)],
        ['destinations', webhook_destinations.count],
        ['email verification', onOff(email_verification.enabled, email_verification.problem)],
        ['reader', onOff(reader.ready, reader.problem)],
        ['agents', mcp.url ?? 'off'],
      ])
      // The attention list describes the same problem in more detail.
      const isListed = (problem: string) => attention.some(({ message }) => message.startsWith(problem))
      const problems = [...providers.problems.filter(({ message }) => !isListed(message)), ...attention]
      for (const { message } of problems) out.line(withStyle('bad', '!'), ` ${message}`)
      if (problems.length === 0) out.line('Nothing needs attention.')
    }),
  )
}
