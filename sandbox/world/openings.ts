import type { SandboxPosting } from '../types.ts'
import { shift } from './dates.ts'
import { slugOf } from './people.ts'
import type { CompanySeed } from './types.ts'

type Employer = Pick<CompanySeed, 'name' | 'description' | 'city' | 'country_code'>

/** Parses `Title, Department, days since published`, one per line. */
export function postingsOf(lines: string, employer: Employer, today: string): SandboxPosting[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [title, department, days] = line.split(',').map((part) => part.trim())
      if (!title || !department || !/^\d+$/.test(days ?? '')) throw new Error(`No opening: ${line}`)
      return {
        id: slugOf(`${title} ${employer.city}`),
        title,
        department,
        city: employer.city,
        country_code: employer.country_code,
        published: shift(today, -Number(days)),
        text: advertisement(title, department, employer),
      }
    })
}

function advertisement(title: string, department: string, { name, description, city }: Employer): string {
  return [
    description,
    `We are looking for a ${title} to join our ${department} team in ${city}.`,
    'You will work with colleagues who have been here for a while and are glad of new eyes. You take things from the first question to the last bolt, write down what you learn, and say so when a plan does not hold.',
    'You bring a few years of experience in a similar role, good English, and the patience to explain your work to people in other departments.',
    `We offer a permanent contract, thirty days of holiday and a budget for learning. Apply with a short letter; ${name} answers every application within two weeks.`,
  ].join('\n\n')
}
