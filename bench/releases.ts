// Press releases for benchmarks, or generated text.
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { DetectInput } from '../src/engine/detect/index.ts'

const INVENTED =
  'BERLIN, March 3, 2025 -- Orlova Robotics, a maker of warehouse robots, today announced that it has raised $12 million in a ' +
  'Series A round led by Birchfield Ventures. The company will open an office in Lyon and hire 40 engineers. "We are delighted," ' +
  'said Ana Orlova, chief executive. Tessera Foods selected the platform for its plants in May. About Orlova Robotics: founded in 2015.\n\n'

export function releases(path: string | undefined): DetectInput[] {
  if (!path || !existsSync(path)) {
    console.log('no press releases given: running on invented text')
    return Array.from({ length: 2000 }, (_, i) => ({
      id: String(i),
      company: { name: 'Orlova Robotics' },
      title: 'Orlova Robotics Raises $12 Million',
      text: INVENTED.repeat(8),
      published_at: '2025-03-03',
    }))
  }
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n')
  return lines.map((line) => {
    const { id, title, text, url, date } = JSON.parse(line) as Record<string, string>
    // The first capitalised words of the title are used as the company, so that most documents are classified, not skipped.
    const name = /[A-Z][\w&.]*(?: [A-Z][\w&.]*)?/.exec(title ?? '')?.[0] ?? 'Orlova Robotics'
    return { id: id ?? '', company: { name }, title, text: text ?? '', url, published_at: date }
  })
}
