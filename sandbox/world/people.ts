import type { Person } from './types.ts'

const LINE = /^(.+?(?:, (?:Ph\.D\.|M\.D\.))?), (.+?)(?: \[(.+)\])?$/
const TITLES = /^(?:Dr\.|Captain) |, (?:Ph\.D\.|M\.D\.)$/g
/** Letters that do not decompose into a base letter and an accent. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', ð: 'd', þ: 'th', đ: 'd' }

/** Parses `Name, Title [email, profile, +1 …]`, one per line. */
export function peopleOf(lines: string, domain: string): Person[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [, shown_as, title, shown = ''] = LINE.exec(line.trim()) ?? []
      if (!shown_as || !title) throw new Error(`No person: ${line}`)
      const full_name = shown_as.replace(TITLES, '')
      const extras = shown.split(',').map((extra) => extra.trim())
      return {
        full_name,
        shown_as,
        title,
        email: extras.includes('email') ? emailOf(full_name, domain) : null,
        phone: extras.find((extra) => extra.startsWith('+')) ?? null,
        network_url: extras.includes('profile') ? `https://www.linkedin.com/in/sbx-${slugOf(full_name)}` : null,
      }
    })
}

/** First and last name with a dot, the format of all companies in the sandbox. */
export function emailOf(name: string, domain: string): string {
  const words = name.split(' ').filter((word) => !/^[A-Z]\.$/.test(word))
  return `${slugOf(words[0] as string)}.${slugOf(words.at(-1) as string)}@${domain}`
}

export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[øłßæðþđ]/g, (letter) => PLAIN[letter] as string)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}
