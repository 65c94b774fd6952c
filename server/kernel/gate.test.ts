import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import { createGate, enterUntilClosed } from './gate.ts'

it('admits up to the limit in order and rejects when the queue is full', async () => {
  const gate = createGate({ maxConcurrent: 2, maxWaiting: 3 })
  const order: number[] = []
  let inside = 0
  let maxInside = 0
  const work = (n: number) =>
    gate(async () => {
      maxInside = Math.max(maxInside, ++inside)
      await new Promise((done) => setTimeout(done, 1))
      inside--
      order.push(n)
      if (n === 1) throw new Error('one fails')
      return n
    })
  const answers = await Promise.allSettled(Array.from({ length: 7 }, (_, n) => work(n)))
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : (answer.reason as Error).message))).toEqual([
    0,
    'one fails',
    2,
    3,
    4,
    expect.stringMatching(/busy/),
    expect.stringMatching(/busy/),
  ])
  expect(order).toEqual([0, 1, 2, 3, 4])
  expect(maxInside).toBe(2)
  expect(await work(8)).toBe(8)
})

it('rejects a caller who waited too long and admits the next', async () => {
  const gate = createGate({ maxConcurrent: 1, maxWaiting: 5, maxWaitMs: 20 })
  const leave = await gate.enter()
  await expect(gate.enter()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
  const next = gate.enter()
  leave()
  leave()
  const leaveNext = await next
  let isIn = false
  const last = gate.enter().then((leaveLast) => {
    isIn = true
    return leaveLast
  })
  await Promise.resolve()
  expect(isIn).toBe(false)
  leaveNext()
  ;(await last)()
  expect(await gate(async () => 'free')).toBe('free')
})

it('leaves slots and queue spots to others once a caller has its share', async () => {
  const gate = createGate({ maxConcurrent: 3, maxWaiting: 5, perCaller: { maxConcurrent: 1, maxWaiting: 2 } })
  const order: string[] = []
  const enter = async (caller: string) => {
    const leave = await gate.enter(caller)
    order.push(caller)
    return leave
  }
  const leaveFirst = await enter('busy')
  const waiting = [enter('busy'), enter('busy')]
  await expect(gate.enter('busy')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
  const leaveOther = await enter('other')
  leaveOther()
  // Other callers get the free slots, because the waiting caller has reached its own limit.
  expect(order).toEqual(['busy', 'other'])
  leaveFirst()
  ;(await (waiting[0] as Promise<() => void>))()
  await waiting[1]
  expect(order).toEqual(['busy', 'other', 'busy', 'busy'])
})

it('keeps no slot for a connection that was lost before or during the wait', async () => {
  const gate = createGate({ maxConcurrent: 1, maxWaiting: 5, maxWaitMs: 100 })
  const openReply = () => {
    const socket = new Socket()
    const raw = new ServerResponse(new IncomingMessage(socket))
    raw.assignSocket(socket)
    const close = async () => {
      socket.destroy()
      await once(raw, 'close')
    }
    return { reply: { raw } as FastifyReply, close }
  }
  const lostBefore = openReply()
  await lostBefore.close()
  await enterUntilClosed(gate, lostBefore.reply)
  const leave = await gate.enter()
  const lostWhileWaiting = openReply()
  const entering = enterUntilClosed(gate, lostWhileWaiting.reply)
  await lostWhileWaiting.close()
  leave()
  await entering
  expect(await gate(async () => 'free')).toBe('free')
})
