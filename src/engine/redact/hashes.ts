import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** A KeyObject for hashing: four times faster than passing the bytes on every call. */
export const createHashKey = (key: Uint8Array): KeyObject => createSecretKey(key)

/** The stored form of an erased person's mark: a hash that only this installation can compute. */
export function hashMark(key: KeyObject, workspaceId: string, mark: string): Buffer {
  return createHmac('sha256', key).update(`${workspaceId}\n${mark}`).digest()
}

/** Stored bytes per hash: collisions of eight bytes are negligible among millions of hashes. */
export const HASH_PREFIX_BYTES = 8

/** Whether a sorted list of prefixes contains the prefix of a hash. */
export function includesHashPrefix(prefixes: Uint8Array, hash: Uint8Array): boolean {
  let low = 0
  let high = prefixes.length / HASH_PREFIX_BYTES
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = compareAt(prefixes, middle * HASH_PREFIX_BYTES, hash)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle
  }
  return false
}

function compareAt(prefixes: Uint8Array, at: number, hash: Uint8Array): number {
  for (let n = 0; n < HASH_PREFIX_BYTES; n++) {
    const difference = (prefixes[at + n] as number) - (hash[n] as number)
    if (difference !== 0) return difference
  }
  return 0
}
