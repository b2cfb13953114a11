import { CHIEF_OFFICERS, wordSet as set } from '../english/words.ts'

/** The five levels of the public interface, highest first. */
export const JOB_LEVELS = ['C-Team', 'VP', 'Director', 'Manager', 'Staff'] as const
/** Levels that manage managers. */
export const LEADING_LEVELS: JobLevel[] = ['C-Team', 'VP', 'Director']
export type JobLevel = (typeof JOB_LEVELS)[number]

const VICE_PRESIDENTS = set('vp svp evp avp rvp gvp dvp fvp savp cvp vicepresidente vicepresident')
const TOP = set(
  'founder proprietor proprietress geschaftsfuhrer geschaftsfuhrerin vorstandsvorsitzender vorstandsvorsitzende ' +
    'vorstand vorstandin vorstandsmitglied pdg gerant gerante provost chancellor rector toimitusjohtaja prezes ' +
    'bestuurder inhaber inhaberin gesellschafter fondateur fondatrice cofondateur fundador fundadora fondatore adm',
)
const TOP_PHRASES = (
  'directeur general|directrice generale|director general|directora general|diretor geral|diretora geral|' +
  'direttore generale|algemeen directeur|amministratore delegato|amministratrice delegata|consejero delegado|' +
  'consejera delegada|administrador delegado|verkstallande direktor|administrerende direktor|' +
  'non executive director|independent director|board director|board member|member of the board|' +
  'board of directors|managing member|managing principal|general partner|commander in chief|chief executive|' +
  'chief scientist|executive partner'
).split('|')
const DIRECTORS = set(
  'director directeur directrice directora diretor diretora direttore direttrice direktor direktorin treasurer ' +
    'comptroller controller dean prokurist prokuristin leiter leiterin bereichsleiter bereichsleiterin ' +
    'abteilungsleiter abteilungsleiterin vertriebsleiter vertriebsleiterin werksleiter personalleiter ' +
    'personalleiterin marketingleiter entwicklungsleiter standortleiter betriebsleiter directrices ' +
    'hauptabteilungsleiter gm chief johtaja dyrektor',
)
const MANAGERS = set(
  'manager supervisor foreman forewoman superintendent gerente jefe jefa responsable verkoopleider teamleiter ' +
    'teamleiterin projektleiter projektleiterin filialleiter filialleiterin gestionnaire gestor gestora responsabile ' +
    'manageress teamleider projectleider kierownik headmaster sergeant captain matron maitre',
)
const LESSER = set('deputy assistant associate vice sub under junior')
const PLAIN_PARTNER = set(
  'managing general founding equity senior venture law audit tax named operating investment global',
)
/** Controllers of things, not of books. */
const CONTROLLED = set(
  'document traffic air pest quality inventory production stock vision process motor flight import',
)
const OWNED = set('product process service data system application scrum platform feature risk')
/** "Head chef" leads a shift, "head of sales" leads a department. */
const CREW = set(
  'coach chef nurse cook waiter barista brewer baker miller teacher gardener housekeeper mechanic cashier butcher',
)

/** The highest level of any part of the title; `words` come from `titleWords` without the superior. */
export function levelOf(words: readonly string[]): JobLevel {
  const joined = ` ${words.join(' ')} `
  const has = (phrase: string) => joined.includes(` ${phrase} `)
  const found = new Set<JobLevel>()
  for (let i = 0; i < words.length; i++) {
    const level = levelAt(words, i, has)
    if (level) found.add(level)
  }
  if (TOP_PHRASES.some(has)) found.add('C-Team')
  return JOB_LEVELS.find((level) => found.has(level)) ?? 'Staff'
}

function levelAt(words: readonly string[], i: number, has: (phrase: string) => boolean): JobLevel | null {
  const word = words[i] as string
  const before = words[i - 1] ?? ''
  const after = words[i + 1] ?? ''
  const lesser = LESSER.has(before)
  if (TOP.has(word)) return 'C-Team'
  if (CHIEF_OFFICERS.has(word)) return lesser ? 'VP' : 'C-Team'
  if (VICE_PRESIDENTS.has(word)) return 'VP'
  switch (word) {
    case 'president':
    case 'presidente':
      return before === 'vice' ? 'VP' : 'C-Team'
    case 'chair':
      return has('committee') ? null : 'C-Team' // A committee seat is held in addition to a job.
    case 'superintendent':
      return has('school') || has('schools') ? 'C-Team' : 'Manager'
    case 'owner':
    case 'owners':
      return OWNED.has(before) ? null : 'C-Team'
    case 'managing':
      if (after === 'partner') return 'C-Team'
      if (after === 'director') return lesser ? 'VP' : 'C-Team'
      return after === 'editor' ? 'Manager' : null
    case 'partner':
      return partnerLevel(words, i)
    case 'counsel':
      return before === 'general' ? (LESSER.has(words[i - 2] ?? '') ? 'Director' : 'C-Team') : null
    case 'chief':
      return chiefLevel(words, i)
    case 'principal':
      return principalLevel(words, i)
    case 'head':
      if (CREW.has(after)) return 'Manager'
      return after === 'of' ||
        after === ',' ||
        after === '' ||
        i === 0 ||
        before === 'global' ||
        before === 'department'
        ? 'Director'
        : null
    case 'controller':
      if (CONTROLLED.has(before)) return null
      return before === 'assistant' ? 'Manager' : 'Director'
    case 'manager':
    case 'gm':
      if (before === 'general' || word === 'gm')
        return LESSER.has(words[i - (word === 'gm' ? 1 : 2)] ?? '') ? 'Manager' : 'Director'
      return 'Manager'
    case 'gerente':
      return after === 'general' || after === 'geral' ? 'Director' : 'Manager'
    case 'editor':
      return after === 'in' && words[i + 2] === 'chief' ? 'Director' : null
    case 'producer':
      return before === 'executive' ? 'Director' : null
    case 'chef':
      return after === 'de' ? (has('chef de partie') ? null : 'Manager') : before === 'executive' ? 'Manager' : null
    case 'lead':
      return leadLevel(words, i)
    case 'director':
      return after === 'level' ? null : 'Director'
  }
  if (DIRECTORS.has(word)) return 'Director'
  return MANAGERS.has(word) ? 'Manager' : null
}

/** "Chief … Officer" is the C-Team; any other chief heads one thing: staff, police, architecture. */
function chiefLevel(words: readonly string[], i: number): JobLevel | null {
  if (words[i - 1] === 'in') return null // "Editor in chief" is handled at "editor".
  const officer = words.indexOf('officer', i)
  if (officer > i && officer - i <= 6 && !words.slice(i, officer).includes(',')) {
    return LESSER.has(words[i - 1] ?? '') ? 'VP' : 'C-Team'
  }
  return 'Director'
}

/** A partner owns a share of the firm, unless a qualifier names another kind: HR business partner, client partner. */
function partnerLevel(words: readonly string[], i: number): JobLevel | null {
  let start = i
  while (start > 0 && words[start - 1] !== ',' && words[start - 1] !== 'and') start--
  const qualifiers = words.slice(start, i)
  const endsPart = i + 1 === words.length || words[i + 1] === ',' || words[i + 1] === 'and'
  if (!endsPart) return null
  if (qualifiers.some((word) => word === 'associate' || word === 'junior')) return 'Director'
  return qualifiers.every((word) => PLAIN_PARTNER.has(word)) ? 'C-Team' : null
}

/** "Principal" is a level only as the whole title; a "Principal Engineer" is an engineer. */
function principalLevel(words: readonly string[], i: number): JobLevel | null {
  const after = words[i + 1]
  return after === undefined || after === ',' || after === 'and' || after === 'of' ? 'Director' : null
}

/** "Marketing Lead" leads people; "Lead Engineer" and "Tech Lead" lead the work. */
function leadLevel(words: readonly string[], i: number): JobLevel | null {
  const before = words[i - 1] ?? ','
  const after = words[i + 1]
  if (before === 'technical' || before === ',') return null
  return after === undefined || after === ',' || after === 'and' || before === 'team' ? 'Manager' : null
}
