/** A queue per key, served round-robin, so that a key with many waiting items does not starve the others. */
export class FairQueue<T> {
  readonly #queues = new Map<string, T[]>()

  add(key: string, item: T): void {
    const queue = this.#queues.get(key)
    if (queue) queue.push(item)
    else this.#queues.set(key, [item])
  }

  /** Returns an item to the head of the queue, because it was already served. */
  putBack(key: string, item: T): void {
    const queue = this.#queues.get(key) ?? []
    const others = [...this.#queues].filter(([other]) => other !== key)
    this.#queues.clear()
    this.#queues.set(key, [item, ...queue])
    for (const [other, items] of others) this.#queues.set(other, items)
  }

  /** The next item in round-robin order; skips keys that are busy and keys whose first item `fits` rejects. */
  next(busyKeys: ReadonlySet<string>, fits: (item: T) => boolean): T | undefined {
    for (const [key, queue] of this.#queues) {
      const [item] = queue
      if (busyKeys.has(key) || item === undefined || !fits(item)) continue
      queue.shift()
      this.#queues.delete(key)
      if (queue.length > 0) this.#queues.set(key, queue)
      return item
    }
    return undefined
  }

  clear(): T[] {
    const all = [...this.#queues.values()].flat()
    this.#queues.clear()
    return all
  }
}
