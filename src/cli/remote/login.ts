import { Bellwether } from '@bellwether/client'
import type { Command } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { TerminalOutput } from '../terminal/output.ts'
import { DEFAULT_PROFILE, profilesFile, readProfiles, requireProfile, writeProfiles } from './profiles.ts'
import { readStdin } from './session.ts'
import { DEFAULT_SERVICE_URL, requireKey, requireSafeUrl } from './target.ts'

type LoginOptions = { url?: string; profile?: string; insecure?: boolean }

export function loginCommands(program: Command, io: TerminalIo): void {
  const out = () => new TerminalOutput(io.stdout, io.env)

  program
    .command('login')
    .option('--url <url>', `address of the service; or BELLWETHER_URL; ${DEFAULT_SERVICE_URL} when absent`)
    .option('--profile <name>', `name of the profile; ${DEFAULT_PROFILE} when absent`)
    .option('--insecure', 'send the key over plain http to a public address')
    .addHelpText(
      'after',
      '\nOn a terminal the command prompts for the key; otherwise it reads the key from stdin.\n\nExamples:\n  bellwether login --url https://bellwether.example.com\n  pass bellwether/key | bellwether login --profile work --url https://bellwether.example.com',
    )
    .action(async ({ url, profile = DEFAULT_PROFILE, insecure = false }: LoginOptions) => {
      const address = requireSafeUrl(url ?? (io.env.BELLWETHER_URL || DEFAULT_SERVICE_URL), insecure)
      const key = requireKey(io.stdin.isTTY ? await io.askSecret(`API key for ${address}: `) : await readStdin(io))
      const { member, workspace } = await new Bellwether({ url: address, key }).get('/v1/me')
      const stored = readProfiles(io.env)
      stored.profiles[profile] = { url: address, key, ...(insecure ? { insecure } : {}) }
      // Logging in also selects the profile.
      writeProfiles(io.env, { ...stored, current: profile })
      out().line(
        `Logged in as ${member.name} in ${workspace.name}. Stored as profile ${profile} in ${profilesFile(io.env)}.`,
      )
    })

  const profiles = program.command('profiles')

  profiles
    .command('list')
    .description('List the profiles, without their keys')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  bellwether profiles list')
    .action(({ json }: { json?: boolean }) => {
      const { current, profiles } = readProfiles(io.env)
      const rows = Object.entries(profiles).map(([name, { url }]) => ({ name, url, current: name === current }))
      if (json) return out().json(rows)
      if (rows.length === 0) return out().line('There are no profiles yet. "bellwether login" adds one.')
      out().table<(typeof rows)[number]>(
        [
          { title: 'NAME', value: ({ name }) => name, whole: true },
          { title: 'ADDRESS', value: ({ url }) => url },
          { title: 'IN USE', value: ({ current }) => (current ? 'yes' : '') },
        ],
        rows,
      )
    })

  profiles
    .command('use <name>')
    .description('Select the profile for the next commands')
    .addHelpText('after', '\nExample:\n  bellwether profiles use work')
    .action((name: string) => {
      const stored = readProfiles(io.env)
      const { url } = requireProfile(stored, name)
      writeProfiles(io.env, { ...stored, current: name })
      out().line(`${name} (${url}) is in use.`)
    })

  profiles
    .command('remove <name>')
    .description('Delete a profile with its key; the key stays valid until it is revoked')
    .addHelpText('after', '\nExample:\n  bellwether profiles remove work')
    .action((name: string) => {
      const stored = readProfiles(io.env)
      requireProfile(stored, name)
      delete stored.profiles[name]
      writeProfiles(io.env, { ...stored, current: stored.current === name ? null : stored.current })
      out().line(`${name} was removed.`)
    })
}
