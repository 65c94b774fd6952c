import { describe, expect, test } from 'vitest'
import type { Media, Upload } from '#contracts/media.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { RefusedFile, type UploadCalls, uploadFile } from './upload-file.ts'

const media: Media = {
  id: 'm',
  kind: 'image',
  width: 4,
  height: 3,
  placeholder: null,
  alt: '',
  sources: [],
  videoUrl: null,
  durationSeconds: null,
  documentUrl: null,
  pageCount: null,
}
const apiError = (status: number, retryAfter: string | null = null) =>
  new ApiError({ status, statusText: 'x', retryAfter }, JSON.stringify({ message: `The server says ${status}.`, code: 'x' }))

/** Stores one upload; `trouble` may throw before or after a call takes effect. */
function fakeServer(byteSize: number, trouble: (call: string, when: 'before' | 'after') => void = () => {}) {
  const bytes: number[] = []
  const log: string[] = []
  let begun = 0
  let looks = 0
  const state = (): Upload => {
    const status = bytes.length < byteSize ? 'receiving' : looks > 2 ? 'ready' : 'processing'
    return { id: `u${begun}`, status, byteSize, receivedBytes: bytes.length, error: null, media: status === 'ready' ? media : null }
  }
  const made = async <T>(call: string, work: () => T | Promise<T>): Promise<T> => {
    log.push(call)
    trouble(call, 'before')
    const answer = await work()
    trouble(call, 'after')
    return answer
  }
  const calls: UploadCalls = {
    begin: () =>
      made('begin', () => {
        begun++
        return state()
      }),
    send: (_id, offset, blob) =>
      made(`send ${offset}`, async () => {
        if (offset !== bytes.length) throw apiError(409)
        bytes.push(...new Uint8Array(await blob.arrayBuffer()))
        return state()
      }),
    look: () =>
      made('look', () => {
        if (bytes.length === byteSize) looks++
        return state()
      }),
  }
  return { calls, log, bytes, begin: () => begun++ }
}

const content = Uint8Array.from({ length: 10 }, (_, index) => index)

function run(server: ReturnType<typeof fakeServer>, more: Partial<Parameters<typeof uploadFile>[0]> = {}) {
  const waits: number[] = []
  const progress: number[] = []
  const result = uploadFile({
    file: new Blob([content]),
    uploadId: null,
    calls: server.calls,
    chunkBytes: 4,
    onBegun: () => {},
    onProgress: (received) => progress.push(received),
    onProcessing: () => progress.push(-1),
    signal: new AbortController().signal,
    wait: async (ms, signal) => {
      signal.throwIfAborted()
      waits.push(ms)
    },
    ...more,
  })
  return { result, waits, progress }
}

describe('uploadFile', () => {
  test('sends the chunks in order and waits until the picture is ready', async () => {
    const server = fakeServer(10)
    const { result, progress } = run(server)
    expect(await result).toBe(media)
    expect(server.log).toEqual(['begin', 'send 0', 'send 4', 'send 8', 'look', 'look', 'look'])
    expect(server.bytes).toEqual([...content])
    expect(progress).toEqual([0, 4, 8, 10, -1])
  })

  test('resends a chunk that didn’t arrive', async () => {
    let failures = 2
    const server = fakeServer(10, (call, when) => {
      if (call === 'send 4' && when === 'before' && failures-- > 0) throw new TypeError('Failed to fetch')
    })
    const { result, waits } = run(server)
    expect(await result).toBe(media)
    expect(server.bytes).toEqual([...content])
    expect(waits.slice(0, 2)).toEqual([500, 1000])
  })

  test('doesn’t resend a chunk if only its response was lost', async () => {
    let isLost = false
    const server = fakeServer(10, (call, when) => {
      if (call !== 'send 4' || when !== 'after' || isLost) return
      isLost = true
      throw new TypeError('Failed to fetch')
    })
    expect(await run(server).result).toBe(media)
    expect(server.log.slice(0, 5)).toEqual(['begin', 'send 0', 'send 4', 'look', 'send 8'])
    expect(server.bytes).toEqual([...content])
  })

  test('resumes an interrupted upload', async () => {
    const server = fakeServer(10)
    server.begin()
    server.bytes.push(...content.slice(0, 8))
    expect(await run(server, { uploadId: 'u1' }).result).toBe(media)
    expect(server.log.slice(0, 2)).toEqual(['look', 'send 8'])
    expect(server.bytes).toEqual([...content])
  })

  test('restarts if the server no longer has the upload or if the file is a different one', async () => {
    const forgotten = fakeServer(10, (call) => {
      if (call === 'look' && forgotten.log.length === 1) throw apiError(404)
    })
    expect(await run(forgotten, { uploadId: 'old' }).result).toBe(media)
    expect(forgotten.log.slice(0, 2)).toEqual(['look', 'begin'])

    const server = fakeServer(10)
    const other = {
      ...server.calls,
      look: async (): Promise<Upload> => ({ ...(await server.calls.look('', new AbortController().signal)), byteSize: 9 }),
    }
    await run(server, {
      uploadId: 'old',
      calls: { ...other, look: async (id, signal) => (server.log.includes('begin') ? server.calls.look(id, signal) : other.look()) },
    }).result
    expect(server.log.slice(0, 2)).toEqual(['look', 'begin'])
  })

  test('treats a refusal as final and preserves its message', async () => {
    const server = fakeServer(10, (call) => {
      if (call === 'begin') throw apiError(415)
    })
    await expect(run(server).result).rejects.toMatchObject({ status: 415, userMessage: 'The server says 415.' })
    expect(server.log).toEqual(['begin'])
  })

  test('waits as long as a busy server requests', async () => {
    let isBusy = true
    const server = fakeServer(10, (call) => {
      if (call === 'send 0' && isBusy) {
        isBusy = false
        throw apiError(429, '9')
      }
    })
    const { result, waits } = run(server)
    await result
    expect(waits[0]).toBe(9000)
  })

  test('gives up after waiting six times', async () => {
    const server = fakeServer(10, (call) => {
      if (call !== 'begin') throw new TypeError('Failed to fetch')
    })
    const { result, waits } = run(server)
    await expect(result).rejects.toThrow(TypeError)
    expect(waits).toHaveLength(6)
  })

  test('reports an unreadable file with the server’s message', async () => {
    const server = fakeServer(10)
    const failing: UploadCalls = {
      ...server.calls,
      look: async () => ({ id: 'u', status: 'failed', byteSize: 10, receivedBytes: 10, error: 'Too large.', media: null }),
    }
    const { result } = run(server, { calls: failing })
    await expect(result).rejects.toThrow(RefusedFile)
    await expect(result).rejects.toThrow('Too large.')
  })

  test('stops when aborted', async () => {
    const controller = new AbortController()
    const server = fakeServer(10, (call) => {
      if (call === 'send 4') controller.abort(new Error('canceled'))
    })
    await expect(run(server, { signal: controller.signal }).result).rejects.toThrow('canceled')
    expect(server.log).toEqual(['begin', 'send 0', 'send 4'])
  })
})
