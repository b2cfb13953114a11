import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Words that hide the technical term, each with the terms to use in their place. */
const WORDS: readonly (readonly [words: RegExp, use: string])[] = [
  [/\b(?:whoever|whomever)\b/i, 'the caller, the member, the worker'],
  [/\b(?:nobody|somebody|anybody|everybody)(?:'s|’s)?\b/i, 'no caller, a member, any user, a person'],
  [/\b(?:told|tells (?!jsonb)(?=[a-z])|tellings?|untold)\b/i, 'reported, notified, stated, asserted'],
  [/\breckon(?:s|ed|ing)?\b/i, 'calculated, updated, estimated'],
  [/\bsightings?\b/i, 'candidate, observation, mention'],
  [/\banew\b/i, 'again'],
  [/\b(?:stands?|stood) (?:in|at|on|beside|by itself|there|alone)\b/i, 'is in, is at'],
  [/\b(?:lies?|lay) (?:in|at|on|beside|below|behind|there|open)\b/i, 'is in, is next to'],
  [/\bbesides?\b/i, 'next to, also'],
  [/\b(?:gives?|gave|giving) way\b/i, 'yields to the event loop'],
  [/\b(?:takes?|taking|in) turns\b/i, 'yields to the event loop, round-robin'],
  [/\b(?:kept|keeps?) to\b/i, 'respected'],
  [/\bwhat (?:came|comes|is told|was told)\b/i, 'the response, the raw document'],
  [/\bhand(?:s|ed|ing)? (?:on|over|down)\b/i, 'pass'],
  [/\b(?:thereof|thereby|hereby|wherein|whereof)\b/i, 'the plain phrase'],
]

/** Put on the line, or on the line before it, with the reason. */
const IGNORE = 'check-words-ignore'

/** Texts that are data: sample documents, vocabularies of the engine, sealed migrations, generated types. */
const DATA =
  /^(?:src\/db\/migrations\/|sandbox\/(?:world|sites|demo)\/|test\/fixtures\/|packages\/client\/src\/(?:schema|types)\.ts|training\/|LICENSE|scripts\/check-words\.ts|website\/)/

/** Files whose strings are read by users; elsewhere strings are data, and only comments are checked. */
const USER_FACING = /^(?:src\/(?!engine\/)|console\/src\/|packages\/client\/src\/)(?!.*\.test\.ts)/

export type WordFinding = { file: string; line: number; word: string; use: string }

/** The habits of wording that are left in a file. */
export function findWords(file: string, text: string): WordFinding[] {
  const isMarkdown = file.endsWith('.md')
  const tokens = file.endsWith('.tsx') ? TOKENS_AND_ELEMENTS : TOKENS
  const prose = isMarkdown ? withoutCode(text) : proseOf(text, tokens, USER_FACING.test(file))
  const lines = text.split('\n')
  return prose.split('\n').flatMap((line, at) => {
    if (lines[at]?.includes(IGNORE) || lines[at - 1]?.includes(IGNORE)) return []
    return WORDS.flatMap(([words, use]) => {
      const word = words.exec(line)?.[0]
      return word === undefined ? [] : [{ file, line: at + 1, word, use }]
    })
  })
}

const TOKENS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
/** Only for .tsx: in other files the text after `>` is code, such as the body of an arrow function. */
const TOKENS_AND_ELEMENTS = new RegExp(`${TOKENS.source}|(?<=>)[^<>{}]*(?=[<{])`, 'g')

/** The comments of a source file, with the strings and texts of elements where users read them; all else is blank. */
function proseOf(text: string, tokens: RegExp, withStrings: boolean): string {
  const isProse = (token: string) => withStrings || token.startsWith('//') || token.startsWith('/*')
  let prose = ''
  let end = 0
  for (const { 0: token, index } of text.matchAll(tokens)) {
    prose += blank(text.slice(end, index)) + (isProse(token) ? token : blank(token))
    end = index + token.length
  }
  return prose + blank(text.slice(end))
}

const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, blank)
const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.md'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  const files = listed.split('\0').filter((file) => file && !DATA.test(file))
  const found = files.flatMap((file) => findWords(file, readFileSync(join(root, file), 'utf8')))
  for (const { file, line, word, use } of found) console.error(`${file}:${line} "${word}": use ${use}`)
  console.log(`Word list findings: ${found.length} in ${files.length} files.`)
  if (found.length > 0) process.exit(1)
}
