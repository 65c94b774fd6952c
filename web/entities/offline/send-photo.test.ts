import { expect, test, vi } from 'vitest'

const upload = { id: 'u', status: 'receiving', byteSize: 3, receivedBytes: 0, error: null, media: null }
const begin = vi.fn(async (..._given: unknown[]) => upload)
const send = vi.fn(async (..._given: unknown[]) => ({ ...upload, status: 'ready', receivedBytes: 3, media: { id: 'm' } }))
vi.mock('#web/lib/call.ts', () => ({ call: begin, callBytes: send }))
const { sendPhoto } = await import('./send-photo.ts')

test('uploads a photo in its author’s name from start to finish', async () => {
  const photo = { key: 'k', name: 'a.jpg', type: 'image/jpeg', size: 3, alt: '', uploadId: null }
  expect(await sendPhoto('ivy')(photo, new Blob(['abc'], { type: 'image/jpeg' }), async () => {})).toEqual({ id: 'm' })
  expect([begin.mock.calls.map((given) => given.at(-1)), send.mock.calls.map((given) => given.at(-1))]).toEqual([
    [expect.objectContaining({ account: 'ivy', idempotencyKey: 'k' })],
    [expect.objectContaining({ account: 'ivy' })],
  ])
})
