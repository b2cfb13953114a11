import { after } from 'node:test'
import { type Receiver, type ReceiverOptions, startReceiver } from '../../sandbox/receiver.ts'
import { checkDelivery } from './contract.ts'

/**
 * A receiver for deliveries of the service, until the test file ends. Every delivery is validated against the webhooks of the
 * OpenAPI document, in every test that uses it; an invalid one fails the file.
 */
export async function testReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = await startReceiver({
    ...options,
    onDelivery: (delivery) => {
      const problem = checkDelivery(delivery)
      // Throwing here would look like a failing receiver, and in `after` it would keep the service from being stopped.
      if (problem) {
        process.exitCode = 1
        process.stderr.write(`${problem}\n`)
      }
      options.onDelivery?.(delivery)
    },
  })
  after(() => receiver[Symbol.asyncDispose]())
  return receiver
}
