import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countSteps } from './steps.ts'

/** Below this number of steps per character growth is ignored; a plain page needs as many. */
const LITTLE = 40

/** Builds an input of about this number of characters. */
export type Maker = (chars: number) => string

/**
 * Tests that four times the input takes four times the work, and at most `perChar` steps per character: a
 * parser that rescans everything for each of two hundred open tags is linear too.
 */
export function testLinear(
  makers: Record<string, Maker>,
  read: (input: string) => unknown,
  { chars, perChar, name }: { chars: number; perChar: number; name: string },
): void {
  for (const [shape, make] of Object.entries(makers)) {
    test(`${name}: ${shape} take work in proportion to their length`, async () => {
      // Work that is done once, at the first call, does not depend on the input.
      await read(make(100))
      const [small, large] = [make(chars), make(4 * chars)]
      const [few, many] = [await countSteps(() => read(small)), await countSteps(() => read(large))]
      const [before, after] = [few / small.length, many / large.length]
      const said = `${few} steps for ${small.length} characters, ${many} for ${large.length}`
      assert.ok(after < Math.max(1.4 * before, LITTLE), said)
      assert.ok(after < perChar, said)
    })
  }
}

/** Repeats a unit between a prefix and a suffix. */
export const many =
  (unit: string, head = '', tail = ''): Maker =>
  (chars) =>
    head + unit.repeat(Math.max(1, Math.floor((chars - head.length - tail.length) / unit.length))) + tail

/** Units with a distinct word each: "Aaaa", "Aaab", … */
export const different =
  (unit: (word: string, index: number) => string, head = '', tail = ''): Maker =>
  (chars) => {
    let text = head
    for (let i = 0; text.length + tail.length < chars; i++) text += unit(wordOf(i), i)
    return text + tail
  }

function wordOf(index: number): string {
  let word = ''
  for (let rest = index; word.length < 4 || rest > 0; rest = Math.floor(rest / 26)) {
    word = String.fromCharCode(97 + (rest % 26)) + word
  }
  return word.charAt(0).toUpperCase() + word.slice(1)
}
