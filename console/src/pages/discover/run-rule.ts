/** What a run was asked for, as its form has it; what is not said is absent. */
export type Rule = { any: string[]; must: string[]; without: string[]; places: string[]; industries: string[] }

export function ruleOf(spec: Record<string, unknown> | null): Rule {
  const { signals = {}, geographies, industries } = (spec ?? {}) as Record<string, unknown>
  const { any_of, must_have, exclude } = signals as Record<string, unknown>
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return {
    any: texts(any_of),
    must: texts(must_have),
    without: texts(exclude),
    places: texts(geographies),
    industries: texts(industries),
  }
}
