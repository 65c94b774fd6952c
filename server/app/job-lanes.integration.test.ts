import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JobName } from '#server/kernel/jobs.ts'
import { eventWorld } from '#tests/support/business-events.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { jobLanes } from './jobs.ts'

let test: TestApp
let guest: TestPerson
let on: Awaited<ReturnType<typeof eventWorld>>

beforeAll(async () => {
  test = await startTestApp()
  on = await eventWorld(test)
  guest = await test.signUp()
})
afterAll(() => test?.close())

async function mailLanes(doing: () => Promise<unknown>): Promise<string[]> {
  const names = new Set<JobName>()
  const { enqueue } = test.ctx.jobs
  test.ctx.jobs.enqueue = (name, ...rest) => {
    names.add(name)
    return enqueue(name, ...rest)
  }
  try {
    await doing()
    await test.runJobs()
    test.clock.advance({ minutes: 5 })
    await test.runJobs()
  } finally {
    test.ctx.jobs.enqueue = enqueue
  }
  return [...names].filter((name) => name.startsWith('notifications.mail')).map((name) => jobLanes[name])
}

it('emails attendees about a moved or canceled event ahead of digests and newsletters', async () => {
  const event = await on.create({ hours: 72 })
  expect((await on.rsvp(guest, event.id)).statusCode).toBeLessThan(300)
  await test.runJobs()
  const moved = on.details({ hours: 96 })
  expect(await mailLanes(() => on.made(on.owner, 'PUT', `/api/events/${event.id}`, moved))).toEqual(['send', 'send'])
  const canceled = { note: 'Snow' }
  expect(await mailLanes(() => on.made(on.owner, 'PUT', `/api/events/${event.id}/cancellation`, canceled))).toEqual(['send', 'send'])
})
