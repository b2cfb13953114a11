// The built-in signals, each with its own file. docs/adding.md describes how to add one.
import { readTitle } from '../titles/index.ts'
import { acquisition } from './acquisition.ts'
import { customerWin } from './customer-win.ts'
import { expansion } from './expansion.ts'
import { funding } from './funding.ts'
import { hiring } from './hiring.ts'
import { ipo } from './ipo.ts'
import { layoffs } from './layoffs.ts'
import { leadershipChange } from './leadership-change.ts'
import { partnership } from './partnership.ts'
import { productLaunch } from './product-launch.ts'
import type { SignalRecord } from './record.ts'
import { securityIncident } from './security-incident.ts'
import { technologyAdoption } from './technology-adoption.ts'

export type { DealRole, FrameRow, FrameSubject, NewsKind, SignalSide } from './record.ts'

// The classifier's outputs are in this order: a new signal is appended and requires training.
const RECORDS = [
  funding,
  acquisition,
  leadershipChange,
  hiring,
  productLaunch,
  expansion,
  partnership,
  layoffs,
  ipo,
  customerWin,
  technologyAdoption,
  securityIncident,
] as const

export type SignalId = (typeof RECORDS)[number]['id']
export type BuiltinSignal = SignalRecord & { id: SignalId }

export const BUILTIN_SIGNALS: readonly BuiltinSignal[] = RECORDS
export const SIGNAL_IDS: readonly SignalId[] = RECORDS.map(({ id }) => id)

const byId = new Map<string, BuiltinSignal>(BUILTIN_SIGNALS.map((signal) => [signal.id, signal]))

/** The record of a built-in signal; undefined for a custom signal. */
export function findBuiltinSignal(id: string): BuiltinSignal | undefined {
  return byId.get(id)
}

/** A signal's name; that of a custom signal is derived from its id. */
export function signalName(id: string): string {
  const spelled = id.replaceAll(/[_-]+/g, ' ').trim()
  return byId.get(id)?.name ?? spelled.charAt(0).toUpperCase() + spelled.slice(1)
}

/** The distance of a title's department from a signal's events; departments that are not listed for it are farthest. */
export function departmentDistance(signalId: string): (title: string | null | undefined) => number {
  const closest: readonly string[] = byId.get(signalId)?.draft.departments ?? []
  return (title) => {
    const at = title ? closest.indexOf(readTitle(title).department) : -1
    return at < 0 ? closest.length : at
  }
}
