import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import {
  beginRotation,
  cancelRotation,
  finishRotation,
  isNewKeyOfRotation,
  type Reencrypted,
  ROTATION_TIMING,
  reencrypt,
  waitUntilSettled,
} from '../setup/rotate-secrets.ts'
import { InvalidValueError, parseSecretsKey } from '../shared/config-values.ts'
import { SetupError } from '../shared/errors.ts'
import { discardNextKey, prepareNextKey, replaceKeyFile, Secrets } from '../shared/secrets.ts'
import { type CliContext, recordedInAll, withDatabase } from './context.ts'
import type { TerminalIo } from './terminal/io.ts'
import { sanitizeLine } from './terminal/sanitize.ts'

const MAX_LISTED = 20

/** `timing` is shorter in tests. */
export function secretsCommands(program: Command, io: TerminalIo, timing = ROTATION_TIMING): void {
  const command = program.command('secrets')

  const settle = (db: CliContext['db']) =>
    waitUntilSettled(db, timing, (seconds) =>
      io.stderr.write(`Waiting ${seconds} s until every process uses the new key.\n`),
    )

  async function reencryptWhenSettled({ db, secrets }: Pick<CliContext, 'db' | 'secrets'>): Promise<void> {
    await settle(db)
    io.stdout.write(describe(await reencrypt(db, secrets)))
  }

  async function finish(context: Pick<CliContext, 'db' | 'secrets'>): Promise<void> {
    await reencryptWhenSettled(context)
    const { db, secrets } = context
    await recordedInAll(db, 'finishSecretsRotation', () => finishRotation(db, secrets))
  }

  command
    .command('rotate')
    .description('Encrypt all stored secrets with new keys, while the service runs')
    .option('--new-key-file <file>', 'file with the new SECRETS_KEY; required when SECRETS_KEY is set')
    .action(({ newKeyFile }: { newKeyFile?: string }) =>
      withDatabase(async (context) => {
        const { db, secrets, config, now } = context
        const isGiven = config.SECRETS_KEY !== null
        const isReplaced = await isNewKeyOfRotation(db, secrets)
        if (isReplaced && isGiven) {
          throw new SetupError(
            'This SECRETS_KEY is the new one of a rotation that is not finished. Run "bellwether secrets finish" when every process has it.',
          )
        }
        if (isGiven !== (newKeyFile !== undefined)) {
          throw new SetupError(
            isGiven
              ? 'SECRETS_KEY is set, so the new key must be one that you keep: openssl rand -hex 32 > new.key, then "bellwether secrets rotate --new-key-file new.key".'
              : 'SECRETS_KEY is not set: the new key is generated in DATA_DIR. Run the command without --new-key-file.',
          )
        }
        if (isReplaced) {
          // An earlier run replaced secrets.key and ended before it finished the rotation.
          await finish(context)
          io.stdout.write('The rotation that was interrupted is finished. Back up secrets.key in DATA_DIR.\n')
          return
        }
        const next = new Secrets(newKeyFile ? readNewKey(newKeyFile) : prepareNextKey(config.DATA_DIR))
        // A rotation that was cancelled may have left a key that not every process uses.
        await settle(db)
        await recordedInAll(db, 'rotateSecrets', () => beginRotation(db, secrets, next, timing))
        await reencryptWhenSettled(context)
        if (isGiven) {
          io.stdout.write(
            'Processes with the old and the new SECRETS_KEY now run together. Set SECRETS_KEY to the new key and restart each process, then run "bellwether secrets finish" with it.\n',
          )
          return
        }
        // First the file, then the old key: a crash in between leaves a key that is accepted.
        const kept = replaceKeyFile(config.DATA_DIR, now())
        await finishRotation(db, next)
        io.stdout.write(
          `secrets.key in DATA_DIR is replaced: back it up. The old key is no longer accepted; ${basename(kept)} keeps it for copies of the database from before.\n`,
        )
      }),
    )

  command
    .command('finish')
    .description('Accept only the new SECRETS_KEY, when every process has it')
    .action(() =>
      withDatabase(async (context) => {
        await finish(context)
        io.stdout.write('The old SECRETS_KEY is no longer accepted.\n')
      }),
    )

  command
    .command('cancel')
    .description('Accept only the old SECRETS_KEY again, before a rotation is finished')
    .action(() =>
      withDatabase(async ({ db, secrets, config }) => {
        await recordedInAll(db, 'cancelSecretsRotation', () => cancelRotation(db, secrets))
        if (config.SECRETS_KEY === null) discardNextKey(config.DATA_DIR)
        io.stdout.write('The rotation is cancelled. The new SECRETS_KEY is not accepted.\n')
      }),
    )
}

function describe({ count, unreadable }: Reencrypted): string {
  const more = unreadable.length - MAX_LISTED
  const lines = [
    `${count} stored secrets were encrypted with the new key.`,
    ...(unreadable.length > 0
      ? [`${unreadable.length} cannot be decrypted with any key and were left as they are:`]
      : []),
    ...unreadable.slice(0, MAX_LISTED).map((name) => `  ${sanitizeLine(name)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function readNewKey(file: string): Buffer {
  try {
    return parseSecretsKey(readFileSync(file, 'utf8').trim())
  } catch (error) {
    const reason = error instanceof InvalidValueError ? 'it must contain 64 hex digits' : (error as Error).message
    throw new SetupError(`--new-key-file ${file} cannot be used: ${reason}.`)
  }
}
