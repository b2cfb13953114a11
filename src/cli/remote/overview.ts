import type { Command } from 'commander'
import type { Io } from '../terminal/io.ts'
import { styled } from '../terminal/output.ts'
import { connectableNames } from './named.ts'
import { connected, remoteCommand } from './session.ts'
import { dayOf } from './times.ts'

export function overviewCommands(program: Command, io: Io): void {
  remoteCommand(program, 'usage', null, ['usage']).action(
    connected(io, async ({ client, out, json }) => {
      const usage = await client.get('/v1/usage')
      if (json) return out.json(usage)
      out.pairs([
        ['period', `${dayOf(usage.period_start)} to ${dayOf(usage.period_end)}`],
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
    connected(io, async ({ client, out, json }) => {
      const [me, integrations, attention, labelOf] = await Promise.all([
        client.get('/v1/me'),
        client.get('/v1/integrations'),
        client.get('/v1/attention'),
        connectableNames(client),
      ])
      if (json) return out.json({ me, integrations, attention })
      const { crms, chat, webhook, webhook_destinations, email_verification, reader, mcp, providers } = integrations
      const onOff = (on: boolean, problem: string | null = null) => problem ?? (on ? 'on' : 'off')
      out.pairs([
        ['member', `${me.member.name} (${me.member.email}), ${me.member.role}${me.read_only ? ', reads only' : ''}`],
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
        ['email proof', onOff(email_verification.enabled, email_verification.problem)],
        ['reader', onOff(reader.ready, reader.problem)],
        ['agents', mcp.url ?? 'off'],
      ])
      // What asks for attention says more of the same problem.
      const isTold = (problem: string) => attention.some(({ message }) => message.startsWith(problem))
      const problems = [...providers.problems.filter(({ message }) => !isTold(message)), ...attention]
      for (const { message } of problems) out.line(styled('bad', '!'), ` ${message}`)
      if (problems.length === 0) out.line('Nothing needs attention.')
    }),
  )
}
