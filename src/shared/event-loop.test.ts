import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yieldToEventLoop } from './event-loop.ts'

test('loops that run at once continue in turns of the event loop of their own', async () => {
  const events: string[] = []
  let isOver = false
  const countTurn = () => {
    events.push('turn')
    if (!isOver) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  const loop = async (name: string) => {
    const yields = yieldToEventLoop()
    for (let times = 0; times < 3; times++) {
      let pause = yields()
      while (!pause) pause = yields()
      await pause
      events.push(name)
    }
  }
  await Promise.all(['first', 'second', 'third'].map(loop))
  isOver = true
  const order = events.filter((event) => event !== 'turn')
  assert.deepEqual(order, Array(3).fill(['first', 'second', 'third']).flat())
  const isShared = events.some((event, at) => event !== 'turn' && at > 0 && events[at - 1] !== 'turn')
  assert.equal(isShared, false, events.join(' '))
})
