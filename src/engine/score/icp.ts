import { takeGeographies } from '../cascade/geographies.ts'
import { foldText } from '../titles/words.ts'

export type IcpFirmographics = {
  employees?: number | null
  industry?: string | null
  country?: string | null
  location?: string | null
  short_description?: string | null
}
/** What an ICP text asks for; null and empty where it says nothing. */
export type Icp = {
  employees_min: number | null
  employees_max: number | null
  industries: string[]
  country_codes: string[]
  places: string[]
  excluded: string[]
}
export type FitComponent = { name: string; weight: number; share: number; why: string }

const MAX_ICP_CHARS = 50_000
const INDUSTRY_WORDS =
  'saas software fintech financial banking insurance healthcare health biotech pharmaceutical pharma medical ' +
  'manufacturing industrial logistics transportation retail ecommerce e-commerce ' +
  'education edtech energy utilities construction automotive aerospace telecommunications telecom media ' +
  'entertainment gaming hospitality travel government nonprofit legal agriculture food ' +
  'cybersecurity marketing consulting staffing robotics semiconductor chemicals mining cloud analytics'
const INDUSTRIES = INDUSTRY_WORDS.split(' ').map((name) => ({ name, pattern: new RegExp(`\\b${name}\\b`) }))
/** The same trade under another name. */
const RELATED_INDUSTRIES: Record<string, string[]> = {
  saas: ['software', 'cloud', 'information technology', 'internet', 'computer'],
  software: ['saas', 'information technology', 'internet', 'computer'],
  fintech: ['financial', 'banking', 'payments'],
  financial: ['fintech', 'banking', 'insurance', 'capital markets'],
  healthcare: ['health', 'medical', 'hospital'],
  health: ['healthcare', 'medical', 'hospital'],
  pharma: ['pharmaceutical', 'biotech'],
  pharmaceutical: ['pharma', 'biotech'],
  manufacturing: ['industrial', 'machinery'],
  industrial: ['manufacturing', 'machinery'],
  logistics: ['transportation', 'supply chain', 'freight', 'trucking'],
  ecommerce: ['e-commerce', 'retail', 'online'],
  'e-commerce': ['ecommerce', 'retail', 'online'],
}
const NEGATION = /\b(?:not|no|never|avoid|exclude|excluding|except|unlike|outside|anti-icp|bad fit|poor fit)\b/
const NUMBER = '(\\d{1,3}(?:,\\d{3}){1,3}|\\d{1,7})\\s?(k)?'
const RANGE = new RegExp(
  `${NUMBER}\\s?(?:-|–|to|and)\\s?${NUMBER}\\s?\\+?\\s(?:employees|people|staff|fte|headcount|person|seats)`,
)
const RANGE_AFTER = new RegExp(
  `(?:employees|headcount|company size|team size|size)\\s?[:=]?\\s(?:of |between |from )?${NUMBER}\\s?(?:-|–|to|and)\\s?${NUMBER}`,
)
const OVER = new RegExp(
  `(?:over|more than|at least|above|minimum(?: of)?|from)\\s${NUMBER}\\s(?:employees|people|staff|fte)|${NUMBER}\\+\\s?(?:employees|people|staff|fte)`,
)
const UNDER = new RegExp(
  `(?:under|fewer than|less than|up to|at most|below|maximum(?: of)?)\\s${NUMBER}\\s(?:employees|people|staff|fte)`,
)

/** Reads sizes, industries and places out of the ICP section's prose; sentences with a negation say what to avoid. */
export function readIcp(markdown: string): Icp {
  const icp: Icp = {
    employees_min: null,
    employees_max: null,
    industries: [],
    country_codes: [],
    places: [],
    excluded: [],
  }
  const original = markdown.slice(0, MAX_ICP_CHARS)
  for (const line of original.split(/\n|(?<=[.;!]) /)) {
    const text = foldText(line)
      .replace(/[*_#`>]/g, ' ')
      .replace(/\s+/g, ' ')
    const negative = NEGATION.test(text)
    if (!negative) readSize(text, icp)
    for (const { name: industry, pattern } of INDUSTRIES) {
      if (!pattern.test(text)) continue
      const list = negative ? icp.excluded : icp.industries
      if (!list.includes(industry)) list.push(industry)
    }
    if (negative) continue
    const words = text
      .replace(/[^\p{L}\p{N} ]+/gu, ' ')
      .split(' ')
      .filter(Boolean)
    for (const { name, codes } of takeGeographies(words, line).found) {
      if (!icp.places.includes(name)) icp.places.push(name)
      icp.country_codes.push(...codes)
    }
  }
  return icp
}

function readSize(text: string, icp: Icp): void {
  const value = (digits: string | undefined, thousand: string | undefined) =>
    digits === undefined ? null : Number(digits.replaceAll(',', '')) * (thousand ? 1000 : 1)
  const range = RANGE.exec(text) ?? RANGE_AFTER.exec(text)
  if (range) {
    icp.employees_min ??= value(range[1], range[2])
    icp.employees_max ??= value(range[3], range[4])
    return
  }
  const over = OVER.exec(text)
  const under = UNDER.exec(text)
  if (over) icp.employees_min ??= value(over[1] ?? over[3], over[2] ?? over[4])
  if (under) icp.employees_max ??= value(under[1], under[2])
}

/** One component for each thing the ICP asks for. What is not known about the account counts half: neither for nor against. */
export function fitAgainst(icp: Icp, firm: IcpFirmographics): FitComponent[] {
  const parts: FitComponent[] = []
  if (icp.employees_min !== null || icp.employees_max !== null) parts.push(sizeFit(icp, firm.employees ?? null))
  if (icp.industries.length > 0 || icp.excluded.length > 0) parts.push(industryFit(icp, firm))
  if (icp.country_codes.length > 0) parts.push(placeFit(icp, firm))
  return parts
}

function sizeFit({ employees_min, employees_max }: Icp, employees: number | null): FitComponent {
  const wanted = `${employees_min ?? 'any'} to ${employees_max ?? 'any'} employees wanted`
  if (employees === null) return { name: 'employees', weight: 40, share: 0.5, why: `${wanted}, number not known` }
  const [low, high] = [employees_min ?? 0, employees_max ?? Number.POSITIVE_INFINITY]
  // half as many or twice as many as wanted is a near miss, beyond that the fit is gone
  const off = employees < low ? low / Math.max(1, employees) : employees > high ? employees / high : 1
  const share = off <= 1 ? 1 : Math.max(0, 1 - Math.log2(off) / 2)
  return { name: 'employees', weight: 40, share, why: `${wanted}, has ${employees}` }
}

function industryFit({ industries, excluded }: Icp, { industry, short_description }: IcpFirmographics): FitComponent {
  const weight = 35
  const text = foldText(`${industry ?? ''} ${short_description ?? ''}`)
  const told = text.trim() !== ''
  const holds = (word: string) => text.includes(word)
  const refused = excluded.find(holds)
  if (refused && !industries.includes(refused))
    return { name: 'industry', weight, share: 0, why: `${refused} is to be avoided` }
  const asked = industries.length > 0 ? `${industries.join(', ')} wanted` : `anything but ${excluded.join(', ')} wanted`
  if (!told) return { name: 'industry', weight, share: 0.5, why: `${asked}, industry not known` }
  if (industries.length === 0 || industries.some(holds))
    return { name: 'industry', weight, share: 1, why: `${asked}, is ${industry ?? 'described so'}` }
  const near = industries.some((wanted) => RELATED_INDUSTRIES[wanted]?.some(holds))
  return { name: 'industry', weight, share: near ? 0.8 : 0, why: `${asked}, is ${industry ?? 'something else'}` }
}

function placeFit({ country_codes, places }: Icp, { country, location }: IcpFirmographics): FitComponent {
  const weight = 25
  const written = [country, location].filter((part) => part).join(', ')
  const asked = `${places.join(', ')} wanted`
  if (!written) return { name: 'geography', weight, share: 0.5, why: `${asked}, place not known` }
  const code = country && /^[A-Za-z]{2}$/.test(country.trim()) ? country.trim().toUpperCase() : null
  const words = foldText(written)
    .replace(/[^\p{L} ]+/gu, ' ')
    .split(' ')
    .filter(Boolean)
  const codes = code ? [code] : takeGeographies(words, written).found.flatMap((place) => place.codes)
  if (codes.length === 0) return { name: 'geography', weight, share: 0.5, why: `${asked}, ${written} not recognised` }
  return {
    name: 'geography',
    weight,
    share: codes.some((found) => country_codes.includes(found)) ? 1 : 0,
    why: `${asked}, is in ${written}`,
  }
}
