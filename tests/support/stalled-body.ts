import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp } from './test-app.ts'

/** Sends the headers of a call with a body of 1,000 bytes but none of the bytes. Returns once the call waits for them. */
export async function stallBody({ app }: Pick<TestApp, 'app'>, method: 'POST' | 'PUT', path: string, headers: Record<string, string>) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const request = http.request({ port, host: '127.0.0.1', method, path, headers: { ...headers, 'content-length': '1000' } })
  request.on('error', () => {})
  const status = new Promise<number>((resolve) => {
    request.once('response', (response) => resolve(response.statusCode ?? 0))
  })
  const arrived = once(app.server, 'request')
  request.flushHeaders()
  await arrived
  // Give the server time to identify the caller and start waiting for the body.
  await sleep(100)
  return { status, end: () => request.destroy() }
}
