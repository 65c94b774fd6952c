import { expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import type { LiveSignal } from '#server/kernel/live.ts'
import { parseSignal, splitSignal } from './index.ts'

const people = Array.from({ length: 500 }, newId)
const signals: LiveSignal[] = [
  { kind: 'notifications', userIds: people },
  { kind: 'messages', userIds: people, conversationId: newId() },
  { kind: 'deletedMessage', userIds: people, conversationId: newId(), messageId: newId() },
  { kind: 'changedMessages', userIds: people, conversationId: newId() },
  { kind: 'typing', userIds: people, conversationId: newId(), who: newId() },
  { kind: 'post', postId: newId() },
  { kind: 'sessions', userIds: people },
]

it.each(signals)('splits $kind into pieces that each fit in one NOTIFY and together reach everyone', (signal) => {
  const pieces = [...splitSignal(signal)].map((piece) => JSON.stringify(piece))
  for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThan(8000)
  const heard = pieces.map((piece) => parseSignal(JSON.parse(piece)))
  if ('userIds' in signal) expect(heard.flatMap((each) => (each && 'userIds' in each ? each.userIds : []))).toEqual(people)
  for (const each of heard) expect({ ...each, userIds: [] }).toEqual({ ...signal, userIds: [] })
})

it('ignores unknown and incomplete signals', () => {
  for (const other of [
    null,
    1,
    {},
    { kind: 'gap' },
    { kind: 'messages', userIds: [] },
    { kind: 'changedMessages', userIds: [] },
    { kind: 'deletedMessage', userIds: [], conversationId: 'a' },
    { kind: 'typing', userIds: [], conversationId: 'a' },
    { kind: 'post' },
  ]) {
    expect(parseSignal(other)).toBeNull()
  }
})
