// The weights on disk: reader.onnx, and reader.json with the vocabulary, the calibration and the hash of reader.onnx.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SIGNAL_IDS, type SignalId } from '../signals/index.ts'

/** Maps logits to a probability: shared weights, and a bias per signal. */
export type Calibration = {
  /** Weights of the logit of the window and of the logit of its best sentence. */
  weights: readonly [number, number]
  bias: Readonly<Record<SignalId, number>>
  described: { weight: number; bias: number }
}

export type Weights = {
  /** The first characters of the file's SHA-256. */
  version: string
  /** The path of the file. */
  file: string
  signals: readonly SignalId[]
  calibration: Calibration
}

/** The weights cannot be used; the message gives the reason in one line. */
export class WeightsError extends Error {}

export const WEIGHTS_FOLDER = fileURLToPath(new URL('../../../weights/', import.meta.url))

/** What is needed to build windows and to interpret logits. */
export type ModelCard = { vocabulary: readonly string[]; calibration: Calibration }

/** Loads the card only, for threads that do not run the network. Throws a WeightsError. */
export function loadModelCard(folder = WEIGHTS_FOLDER): ModelCard {
  const { vocabulary, calibration } = readModelCard(`${folder}/reader.json`)
  return { vocabulary: vocabulary.split(' '), calibration }
}

let own: Weights | undefined

/** Reads the card and verifies the weights against its hash; the bundled ones once. Throws a WeightsError. */
export function loadWeights(folder = WEIGHTS_FOLDER): Weights {
  if (folder !== WEIGHTS_FOLDER) return checkWeights(folder)
  own ??= checkWeights(folder)
  return own
}

function checkWeights(folder: string): Weights {
  const card = readModelCard(`${folder}/reader.json`)
  const file = `${folder}/reader.onnx`
  const sha256 = hashOf(file)
  if (sha256 !== card.sha256) {
    throw new WeightsError(`${file} is damaged: its SHA-256 is ${sha256}, reader.json says ${card.sha256}.`)
  }
  if (card.signals.join() !== SIGNAL_IDS.join()) {
    throw new WeightsError(`${file} was trained for other signals: ${card.signals.join(', ')}.`)
  }
  const { signals, calibration } = card
  return { version: sha256.slice(0, 12), file, signals, calibration }
}

type ModelCardFile = { sha256: string; signals: SignalId[]; vocabulary: string; calibration: Calibration }

function readModelCard(file: string): ModelCardFile {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ModelCardFile
  } catch (error) {
    throw new WeightsError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

const HASH_CHUNK_BYTES = 256 * 1024

function hashOf(file: string): string {
  const hash = createHash('sha256')
  // In chunks, because a buffer of the whole file would occupy memory until the next garbage collection.
  const piece = Buffer.allocUnsafe(HASH_CHUNK_BYTES)
  try {
    const opened = openSync(file, 'r')
    try {
      for (let read = readSync(opened, piece); read > 0; read = readSync(opened, piece)) {
        hash.update(piece.subarray(0, read))
      }
    } finally {
      closeSync(opened)
    }
    return hash.digest('hex')
  } catch (error) {
    throw new WeightsError(`${file} cannot be read: ${(error as Error).message}`)
  }
}
