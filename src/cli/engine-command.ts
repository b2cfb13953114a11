import type { Command } from 'commander'

const VERBS = 'detect, page, feed, titles, cascade, emails, score, draft, custom-signal'

export function engineCommand(program: Command): void {
  program
    .command('engine <verb>')
    .description(`Run the engine over NDJSON: one object a line in, one out, in the same order (${VERBS})`)
    .addHelpText(
      'after',
      '\nExample:\n  echo \'{"id": 1, "title": "SVP Sales"}\' | npx bellwether engine titles\n\ndocs/engine.md and docs/engine-pages.md say what each verb takes.',
    )
    .action(async (verb: string) => {
      // Loaded here: no other command needs its word lists.
      const { runEngine } = await import('./engine.ts')
      await runEngine(verb, process.stdin, process.stdout)
    })
}
