// Gradient-boosted trees over whole documents: logistic loss, thresholds at quantiles, nothing random.

import type { Forest } from '../src/engine/detect/model.ts'

type Node = [feature: number, at: number, left: number, right: number]
type Settings = { rounds: number; depth: number; rate: number; leaf: number; ridge: number }

const BINS = 32

const round = (value: number) => Math.round(value * 1000) / 1000

export function boost(rows: Float64Array[], targets: number[], settings: Settings): Forest {
  const width = rows[0]?.length ?? 0
  const cuts = Array.from({ length: width }, (_, f) => quantiles(rows.map((row) => row[f] as number)))
  const binned = rows.map((row) => Uint8Array.from(row, (value, f) => binOf(cuts[f] as number[], value)))
  const rate = targets.reduce((a, b) => a + b, 0) / targets.length
  const base = Math.log(rate / (1 - rate))
  const scores = new Float64Array(rows.length).fill(base)
  const trees: Node[][] = []
  const all = Array.from(rows.keys())
  for (let round = 0; round < settings.rounds; round++) {
    const gradient = new Float64Array(rows.length)
    const hessian = new Float64Array(rows.length)
    for (const i of all) {
      const p = 1 / (1 + Math.exp(-(scores[i] as number)))
      gradient[i] = (targets[i] as number) - p
      hessian[i] = p * (1 - p)
    }
    const nodes: Node[] = []
    grow(nodes, all, settings.depth, { binned, cuts, gradient, hessian, settings, scores })
    trees.push(nodes)
  }
  return { base, trees }
}

type Growth = {
  binned: Uint8Array[]
  cuts: number[][]
  gradient: Float64Array
  hessian: Float64Array
  settings: Settings
  scores: Float64Array
}

function grow(nodes: Node[], members: number[], depth: number, growth: Growth): number {
  const { binned, cuts, gradient, hessian, settings, scores } = growth
  const index = nodes.length
  const split = depth > 0 ? bestSplit(members, growth) : null
  if (!split) {
    let g = 0
    let h = 0
    for (const i of members) {
      g += gradient[i] as number
      h += hessian[i] as number
    }
    const value = (settings.rate * g) / (h + settings.ridge)
    for (const i of members) scores[i] = (scores[i] as number) + value
    nodes.push([-1, round(value), 0, 0])
    return index
  }
  const node: Node = [split.feature, round(cuts[split.feature]?.[split.bin] as number), 0, 0]
  nodes.push(node)
  const isLow = (i: number) => (binned[i]?.[split.feature] as number) <= split.bin
  node[2] = grow(nodes, members.filter(isLow), depth - 1, growth)
  node[3] = grow(
    nodes,
    members.filter((i) => !isLow(i)),
    depth - 1,
    growth,
  )
  return index
}

function bestSplit(members: number[], { binned, cuts, gradient, hessian, settings }: Growth) {
  let best: { feature: number; bin: number } | null = null
  let bestGain = 1e-3
  const gain = (g: number, h: number) => (g * g) / (h + settings.ridge)
  for (let f = 0; f < cuts.length; f++) {
    const bins = (cuts[f] as number[]).length
    if (bins === 0) continue
    const g = new Float64Array(BINS + 1)
    const h = new Float64Array(BINS + 1)
    const n = new Float64Array(BINS + 1)
    let gAll = 0
    let hAll = 0
    for (const i of members) {
      const bin = binned[i]?.[f] as number
      g[bin] = (g[bin] as number) + (gradient[i] as number)
      h[bin] = (h[bin] as number) + (hessian[i] as number)
      n[bin] = (n[bin] as number) + 1
      gAll += gradient[i] as number
      hAll += hessian[i] as number
    }
    let gLow = 0
    let hLow = 0
    let nLow = 0
    for (let bin = 0; bin < bins; bin++) {
      gLow += g[bin] as number
      hLow += h[bin] as number
      nLow += n[bin] as number
      if (nLow < settings.leaf || members.length - nLow < settings.leaf) continue
      const value = gain(gLow, hLow) + gain(gAll - gLow, hAll - hLow) - gain(gAll, hAll)
      if (value > bestGain) {
        bestGain = value
        best = { feature: f, bin }
      }
    }
  }
  return best
}

function quantiles(values: number[]): number[] {
  const sorted = [...new Set(values)].sort((a, b) => a - b)
  if (sorted.length <= BINS) return sorted.slice(0, -1).map((value, i) => (value + (sorted[i + 1] as number)) / 2)
  const ordered = [...values].sort((a, b) => a - b)
  const cuts = new Set<number>()
  for (let b = 1; b < BINS; b++) cuts.add(ordered[Math.floor((b * ordered.length) / BINS)] as number)
  return [...cuts]
}

function binOf(cuts: number[], value: number): number {
  let bin = 0
  while (bin < cuts.length && value > (cuts[bin] as number)) bin++
  return bin
}
