import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ErrorCode, errorStatus } from '#contracts/errors.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { QueuedWrite } from './outbox.ts'
import type { Sender } from './send-write.ts'

const received = { id: 'u', status: 'receiving', byteSize: 3, receivedBytes: 0, error: null, media: null }
const begin = vi.fn(async (..._given: unknown[]) => received)
const uploadChunk = vi.fn(async (..._given: unknown[]) => ({ ...received, status: 'ready', receivedBytes: 3, media: { id: 'm' } }))
vi.mock('#web/lib/call.ts', () => ({ call: begin, callBytes: uploadChunk }))

afterEach(() => void vi.restoreAllMocks())
const { RefusedPhoto, sendPhoto, sendWrite } = await import('./send-write.ts')

const write: QueuedWrite = {
  id: 'log',
  seq: 1,
  account: 'a',
  call: { method: 'PATCH', path: '/api/grow-logs/:id' },
  input: { params: { id: 'log' }, body: { heightCm: 44, version: 2 } },
  lane: 'h',
  subjects: [],
  title: 'Log for #7',
  labels: {},
  photos: [],
  photosInto: 'mediaIds',
  thing: { id: 'log', read: { method: 'GET', path: '/api/grow-logs/:id' }, change: { method: 'PATCH', path: '/api/grow-logs/:id' } },
  refreshes: [],
  createdAt: 0,
  hold: null,
  failures: 0,
  retryAt: 0,
}
const photo = { key: 'p1', name: 'p1.jpg', type: 'image/jpeg', size: 3, alt: '', uploadId: null }

const refusal = (code: ErrorCode, retryAfter: string | null = null) =>
  new ApiError({ status: errorStatus[code], statusText: '', retryAfter }, JSON.stringify({ code, message: `It is ${code}.` }))

const throwing = (error: unknown) => async () => {
  throw error
}

function send(sender: Partial<Sender>, changes: Partial<QueuedWrite> = {}) {
  const update = vi.fn(async () => undefined)
  const whole: Sender = {
    call: async () => ({}),
    file: async () => new Blob(['x']),
    upload: async ({ key }) => ({ id: `media-${key}` }),
    ...sender,
  }
  return sendWrite({ ...write, ...changes }, update, whole)
}

describe('the outcome of sending', () => {
  test.each([
    ['no network', new TypeError('Failed to fetch'), { kind: 'unreachable' }],
    ['a timeout', new DOMException('', 'TimeoutError'), { kind: 'unreachable' }],
    ['a foreign response', new SyntaxError('Unexpected token <'), { kind: 'unreachable' }],
    ['a foreign error', new ApiError({ status: 403, statusText: '', retryAfter: null }, '<html>'), { kind: 'unreachable' }],
    ['signed out', refusal('signed_out'), { kind: 'signed out' }],
    ['busy', refusal('unavailable', '7'), { kind: 'later', afterMs: 7000, message: 'It is unavailable.', isOwnFault: false }],
    [
      'too many requests',
      refusal('too_many_requests', '60'),
      { kind: 'later', afterMs: 60_000, message: 'It is too_many_requests.', isOwnFault: false },
    ],
    ['a server error', refusal('internal'), { kind: 'later', afterMs: null, message: 'It is internal.', isOwnFault: true }],
    ['invalid input', refusal('invalid_input'), { kind: 'refused', message: 'It is invalid_input.', fields: {} }],
    [
      'no longer shared',
      refusal('not_found'),
      {
        kind: 'refused',
        message: 'It is not_found. It was deleted, or is no longer shared with you. Your entry is still on this device.',
        fields: {},
      },
    ],
    [
      'a last living copy',
      new ApiError(
        { status: 409, statusText: '', retryAfter: null },
        JSON.stringify({ code: 'last_copy', message: 'Type #7.', fields: { '#7': 'It’s the last.' } }),
      ),
      { kind: 'refused', message: 'Type #7.', fields: { '#7': 'It’s the last.' }, lastCopies: ['#7'] },
    ],
    ['over the limit', refusal('plan_limit'), { kind: 'refused', message: 'It is plan_limit.', fields: {} }],
  ])('is classified by the error: %s', async (_name, error, outcome) => {
    expect(await send({ call: throwing(error) })).toEqual(outcome)
  })

  test('is “arrived” if the item to delete is already gone', async () => {
    const deletion = {
      call: { method: 'DELETE', path: '/api/grow-logs/:id' },
      input: { params: { id: 'log' }, query: { version: 2 } },
    } as const
    expect(await send({ call: throwing(refusal('not_found')) }, deletion)).toEqual({ kind: 'arrived', answer: null })
  })
})

describe('an entry', () => {
  test('is marked as possibly arrived before it is sent', async () => {
    const steps: unknown[] = []
    const update = async (change: (stored: QueuedWrite) => QueuedWrite) => void steps.push(change(write))
    const call = async () => {
      steps.push('sent')
      throw new DOMException('', 'TimeoutError')
    }
    expect(await sendWrite(write, update, { call, file: async () => null, upload: vi.fn() })).toEqual({ kind: 'unreachable' })
    expect(steps).toEqual([{ ...write, mayHaveArrived: true }, 'sent'])
  })

  test('isn’t marked before its photos are uploaded', async () => {
    const update = vi.fn(async () => undefined)
    const upload = throwing(new TypeError('Failed to fetch'))
    await sendWrite({ ...write, photos: [photo] }, update, { call: vi.fn(), file: async () => new Blob(['x']), upload })
    expect(update).not.toHaveBeenCalled()
  })
})

describe('a conflict', () => {
  const conflicting =
    (answer: () => Promise<unknown>): Sender['call'] =>
    (endpoint) =>
      endpoint.method === 'GET' ? answer() : Promise.reject(refusal('conflict'))

  test('includes the server’s version', async () => {
    const theirs = { id: 'log', heightCm: 40, version: 3 }
    expect(await send({ call: conflicting(async () => theirs) })).toEqual({ kind: 'conflict', message: 'It is conflict.', theirs })
  })

  test('isn’t reported if both versions are equal, because the server has another reason', async () => {
    const outcome = await send({ call: conflicting(async () => ({ id: 'log', version: 2 })) })
    expect(outcome).toEqual({ kind: 'refused', message: 'It is conflict.', fields: {} })
  })

  test('becomes a refusal if the item was deleted', async () => {
    expect(await send({ call: conflicting(throwing(refusal('not_found'))) })).toMatchObject({ kind: 'refused', message: 'It is conflict.' })
  })

  test('is checked again later if the network fails in the meantime', async () => {
    expect(await send({ call: conflicting(throwing(new TypeError('Failed to fetch'))) })).toEqual({ kind: 'unreachable' })
  })
})

describe('a photo', () => {
  test('puts its ID into the request without changing the queue', async () => {
    const call = vi.fn<Sender['call']>(async () => ({}))
    const body = { observations: [{ id: 'o', value: { kind: 'photo', mediaId: '' } }] }
    const changes = { photos: [photo], photosInto: 'observations.0.value.mediaId', input: { params: { id: 'h' }, body } }
    await send({ call }, changes)
    expect(call.mock.calls[0]?.[1].body).toEqual({ observations: [{ id: 'o', value: { kind: 'photo', mediaId: 'media-p1' } }] })
    expect(body.observations[0]?.value.mediaId).toBe('')
  })

  test('is sent first, with its ID after the existing ones', async () => {
    const call = vi.fn(async () => ({}))
    const changes = { photos: [photo, { ...photo, key: 'p2' }], input: { params: { id: 'log' }, body: { version: 2, mediaIds: ['old'] } } }
    await send({ call }, changes)
    expect(call).toHaveBeenCalledExactlyOnceWith(write.call, {
      params: { id: 'log' },
      body: { version: 2, mediaIds: ['old', 'media-p1', 'media-p2'] },
    })
  })

  test('stops the entry when its upload is interrupted', async () => {
    const call = vi.fn()
    expect(await send({ call, upload: throwing(new TypeError('Failed to fetch')) }, { photos: [photo] })).toEqual({ kind: 'unreachable' })
    expect(call).not.toHaveBeenCalled()
  })

  test('blocks the entry if it is unusable', async () => {
    const refused = await send({ upload: throwing(new RefusedPhoto('This is no picture.')) }, { photos: [photo] })
    expect(refused).toEqual({ kind: 'refused', message: 'This is no picture.', fields: {} })
    expect(await send({ file: async () => null }, { photos: [photo] })).toMatchObject({ kind: 'refused' })
  })
})

test('uploads a photo in its author’s name from start to finish', async () => {
  const photo = { key: 'k', name: 'a.jpg', type: 'image/jpeg', size: 3, alt: '', uploadId: null }
  expect(await sendPhoto('ivy')(photo, new Blob(['abc'], { type: 'image/jpeg' }), async () => {})).toEqual({ id: 'm' })
  expect([begin.mock.calls.map((given) => given.at(-1)), uploadChunk.mock.calls.map((given) => given.at(-1))]).toEqual([
    [expect.objectContaining({ account: 'ivy', idempotencyKey: 'k' })],
    [expect.objectContaining({ account: 'ivy' })],
  ])
})

test.each([
  ['the request to start it', null],
  ['the request for its state', 'u'],
])('gives up an upload if %s gets no response', async (_step, uploadId) => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new DOMException('', 'TimeoutError')))
  begin.mockImplementationOnce(async (...given) => {
    const { signal } = given.at(-1) as { signal: AbortSignal }
    signal.throwIfAborted()
    return received
  })
  const upload = sendPhoto('ivy')({ ...photo, uploadId }, new Blob(['abc']), async () => {})
  await expect(upload).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }))
})
