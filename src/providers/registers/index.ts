import type { Config } from '../../config/config.ts'
import { companiesHouse } from './companies-house.ts'
import { gleif } from './gleif.ts'
import type { CompanyRegister } from './types.ts'

const REGISTERS: readonly CompanyRegister[] = [gleif, companiesHouse]

export function enabledRegisters(config: Config): CompanyRegister[] {
  return REGISTERS.filter(({ isOn }) => isOn(config))
}
