import type { Department } from '../titles/index.ts'

/** How a department is called in titles (true synonyms only), who heads it, and where to ask when nobody is there. */
export type FunctionNames = { names: string[]; chiefs: string[]; neighbours: Department[] }

export const FUNCTIONS: Record<Department, FunctionNames> = {
  Executive: {
    names: ['Strategy'],
    chiefs: ['Chief Executive Officer', 'CEO', 'Founder', 'Managing Director', 'President'],
    neighbours: ['Operations', 'Finance'],
  },
  Sales: {
    names: ['Sales', 'Revenue'],
    chiefs: ['Chief Revenue Officer', 'Chief Sales Officer', 'Chief Commercial Officer'],
    neighbours: ['Marketing', 'Customer Success'],
  },
  Marketing: {
    names: ['Marketing'],
    chiefs: ['Chief Marketing Officer', 'Chief Growth Officer'],
    neighbours: ['Sales', 'Product'],
  },
  'Customer Success': {
    names: ['Customer Success', 'Customer Experience'],
    chiefs: ['Chief Customer Officer', 'Chief Experience Officer'],
    neighbours: ['Sales', 'Operations'],
  },
  Product: {
    names: ['Product', 'Product Management'],
    chiefs: ['Chief Product Officer'],
    neighbours: ['Engineering', 'Design'],
  },
  Design: {
    names: ['Design'],
    chiefs: ['Chief Design Officer', 'Chief Creative Officer'],
    neighbours: ['Product', 'Marketing'],
  },
  Engineering: {
    names: ['Engineering', 'Technology'],
    chiefs: ['Chief Technology Officer'],
    neighbours: ['Product', 'IT'],
  },
  Data: {
    names: ['Data', 'Analytics'],
    chiefs: ['Chief Data Officer', 'Chief Analytics Officer'],
    neighbours: ['Engineering', 'IT'],
  },
  IT: {
    names: ['IT', 'Information Technology'],
    chiefs: ['Chief Information Officer', 'Chief Digital Officer'],
    neighbours: ['Engineering', 'Security'],
  },
  Security: {
    names: ['Security', 'Information Security', 'Cybersecurity'],
    chiefs: ['Chief Information Security Officer', 'Chief Security Officer'],
    neighbours: ['IT', 'Engineering'],
  },
  Finance: {
    names: ['Finance'],
    chiefs: ['Chief Financial Officer'],
    neighbours: ['Operations', 'Executive'],
  },
  Legal: {
    names: ['Legal'],
    chiefs: ['General Counsel', 'Chief Legal Officer', 'Chief Compliance Officer'],
    neighbours: ['Finance', 'Operations'],
  },
  People: {
    names: ['People', 'Human Resources', 'HR'],
    chiefs: ['Chief People Officer', 'Chief Human Resources Officer'],
    neighbours: ['Operations', 'Executive'],
  },
  Operations: { names: ['Operations'], chiefs: ['Chief Operating Officer'], neighbours: ['Supply Chain', 'Finance'] },
  'Supply Chain': {
    names: ['Supply Chain'],
    chiefs: ['Chief Procurement Officer', 'Chief Supply Chain Officer'],
    neighbours: ['Operations', 'Finance'],
  },
  Research: {
    names: ['Research', 'R&D'],
    chiefs: ['Chief Scientific Officer'],
    neighbours: ['Engineering', 'Product'],
  },
  Healthcare: {
    names: ['Medical Affairs', 'Clinical Services'],
    chiefs: ['Chief Medical Officer', 'Chief Nursing Officer'],
    neighbours: ['Operations', 'Research'],
  },
  Education: {
    names: ['Academic Affairs', 'Education'],
    chiefs: ['Provost', 'Chief Academic Officer'],
    neighbours: ['Operations', 'Executive'],
  },
  Administration: {
    names: ['Administration'],
    chiefs: ['Chief Administrative Officer'],
    neighbours: ['Operations', 'People'],
  },
  Other: { names: [], chiefs: [], neighbours: ['Executive', 'Operations'] },
}
