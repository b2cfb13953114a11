import type { Command } from 'commander'

const VERBS = 'detect, page, feed, titles, cascade, emails, score, draft, custom-signal'

export function engineCommand(program: Command): void {
  program
    .command('engine <verb>')
    .description(`Run the engine on NDJSON: one object per line in and out, in the same order (${VERBS})`)
    .addHelpText(
      'after',
      '\nExample:\n  echo \'{"id": 1, "title": "SVP Sales"}\' | npx bellwether engine titles\n\ndocs/engine.md and docs/engine-pages.md document the input of each verb.',
    )
    .action(async (verb: string) => {
      // Loaded on use, because no other command needs the word lists.
      const { runEngine } = await import('./engine.ts')
      await runEngine(verb, process.stdin, process.stdout)
    })
}
