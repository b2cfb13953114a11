import { connect, type Socket } from 'node:net'

/** A raw connection to a service that reads only on request. */
export function dial(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Everything received until the peer closes or resets the connection. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(text))
  })
}

/** Sends raw bytes, and returns what was received until the peer closed the connection. */
export async function sendRaw(address: string, bytes: string | Buffer): Promise<string> {
  const socket = await dial(address)
  const answer = readAll(socket)
  socket.write(bytes)
  return answer
}
