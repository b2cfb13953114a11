import { connect, type Socket } from 'node:net'

/** A bare connection to a service, which reads nothing until it is asked to. */
export function dial(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Whatever comes until the other side closes; a connection that is cut ends it as well. */
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

/** Sends bytes as they are, and answers what came back until the other side closed. */
export async function sendRaw(address: string, bytes: string | Buffer): Promise<string> {
  const socket = await dial(address)
  const answer = readAll(socket)
  socket.write(bytes)
  return answer
}
