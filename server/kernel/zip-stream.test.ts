import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unzip } from '#tests/support/unzip.ts'
import { type ZipEntry, zipStream } from './zip-stream.ts'

const text = (name: string, content: string, more: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  open: async () => Readable.from([Buffer.from(content)]),
  ...more,
})

test('writes the entries in order, and computes the total size in advance if the entries’ sizes are known', async () => {
  const { body, size } = zipStream([text('a.txt', 'one', { size: 3 }), text('photos/é.txt', '', { size: 0 })])
  const bytes = await buffer(body)
  expect(size).toBe(bytes.length)
  expect([...unzip(bytes)].map(([name, content]) => [name, content.toString()])).toEqual([
    ['a.txt', 'one'],
    ['photos/é.txt', ''],
  ])
  const unknown = zipStream([text('a.txt', 'one', { isCompressed: true })])
  expect(unknown.size).toBeNull()
  expect(
    unzip(await buffer(unknown.body))
      .get('a.txt')
      ?.toString(),
  ).toBe('one')
})

const megabyte = Buffer.alloc(1024 * 1024)

/** Entries of 100 MB each that count how much of them was read. */
function largeEntries(count: number) {
  const state = { read: 0, opened: 0, open: 0 }
  const open = async () => {
    state.opened++
    state.open++
    let left = 100
    return new Readable({
      highWaterMark: 1,
      read() {
        state.read += megabyte.length
        this.push(left-- > 0 ? megabyte : null)
      },
      destroy(error, done) {
        state.open--
        done(error)
      },
    })
  }
  return { state, entries: Array.from({ length: count }, (_, i): ZipEntry => ({ name: `${i}.bin`, size: 100 * megabyte.length, open })) }
}

test('reads only a little ahead of its reader, and closes open files when the reader disconnects', async () => {
  const { state, entries } = largeEntries(3)
  const { body, size } = zipStream(entries)
  expect(size).toBeGreaterThan(300 * megabyte.length)
  body.once('readable', () => body.read(1))
  await setTimeout(100)
  expect(state.opened).toBe(1)
  expect(state.read).toBeLessThan(25 * megabyte.length)
  body.destroy()
  await setTimeout(20)
  expect(state).toMatchObject({ opened: 1, open: 0 })
})

test('fails if an entry fails, can’t be opened, or doesn’t have its declared length', async () => {
  const failing = new Readable({
    read() {
      this.destroy(new Error('lost connection'))
    },
  })
  await expect(buffer(zipStream([{ name: 'a', open: async () => failing }]).body)).rejects.toThrow('lost connection')
  const closed = zipStream([{ name: 'a', open: () => Promise.reject(new Error('no such file')) }])
  await expect(buffer(closed.body)).rejects.toThrow('no such file')
  await expect(buffer(zipStream([text('a.txt', 'one', { size: 4 })]).body)).rejects.toThrow('unexpected number of bytes')
})
