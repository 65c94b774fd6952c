import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mail } from '#server/kernel/mail.ts'
import { type Deliveries, startDeliveries } from '#tests/support/deliveries.ts'
import type { TestApp } from '#tests/support/test-app.ts'

let test: TestApp
let mails: Mail[]
let d: Deliveries

beforeAll(async () => {
  d = await startDeliveries()
  ;({ test, mails } = d)
})
afterAll(() => d?.close())
beforeEach(() => d.reset())

async function runDigests() {
  await test.ctx.jobs.enqueue('notifications.digests', {})
  await test.runJobs()
}

describe('a digest', () => {
  it('arrives once each local morning, and never empty', async () => {
    await d.prefer({ timeZone: 'America/Denver' })
    await d.comment()
    const mailedAt: string[] = []
    // Runs digests every hour for 48 hours from 15:30 UTC, which is 8:30 AM in Denver in winter.
    test.clock.set('2026-11-23T15:30:00Z')
    for (let hour = 0; hour < 48; hour++) {
      const before = mails.length
      await runDigests()
      if (mails.length > before) mailedAt.push(test.clock.now().toISOString().slice(0, 13))
      if (hour === 1) await d.comment('Later', 'Second')
      await d.wait({ hours: 1 })
    }
    expect(mailedAt).toEqual(['2026-11-23T15', '2026-11-24T15'])
    expect(mails.map(({ subject }) => subject)).toEqual(['You have 1 new notification', 'You have 1 new notification'])
    expect(mails[1]?.text).toContain('“Second”')
    expect(mails[1]?.text).not.toContain('“Talk”')
  })

  it('is sent only once, even by two processes or when the clock jumps back', async () => {
    test.clock.set('2026-11-24T08:05:00Z')
    await d.comment()
    await Promise.all([runDigests(), runDigests()])
    test.clock.advance({ days: -1 })
    await runDigests()
    expect(mails).toHaveLength(1)
  })

  it('arrives on Mondays if weekly', async () => {
    await d.prefer({ emailRhythm: 'weekly' })
    test.clock.set('2026-11-25T08:05:00Z')
    await d.comment()
    const days: number[] = []
    for (let day = 0; day < 14; day++) {
      const before = mails.length
      await runDigests()
      if (mails.length > before) days.push(test.clock.now().getUTCDay())
      if (day === 6) await d.comment('Again')
      await d.wait({ days: 1 })
    }
    expect(days).toEqual([1, 1])
  })

  it('arrives the next morning if weekly and no job ran on Monday morning', async () => {
    await d.prefer({ emailRhythm: 'weekly', timeZone: 'America/Denver' })
    const mailedAt: string[] = []
    const runFrom = async (from: string, hours: number) => {
      test.clock.set(from)
      for (let hour = 0; hour < hours; hour++) {
        const before = mails.length
        await runDigests()
        if (mails.length > before) mailedAt.push(test.clock.now().toISOString().slice(0, 13))
        await d.wait({ hours: 1 })
      }
    }
    await d.comment('Early', 'First')
    await runFrom('2026-11-23T15:01:00Z', 1)
    test.clock.set('2026-11-23T15:01:30Z')
    await d.comment('Right after', 'Second')
    // From noon on Monday in Denver.
    await runFrom('2026-11-30T19:02:00Z', 24)
    expect(mailedAt).toEqual(['2026-11-23T15', '2026-12-01T15'])
    expect(mails[1]?.text).toContain('“Second”')
    await d.comment('In between', 'Third')
    await runFrom('2026-12-01T19:02:00Z', 6 * 24)
    expect(mailedAt.slice(2)).toEqual(['2026-12-07T15'])
  })

  it('waits until Monday to send the first news in weeks', async () => {
    await d.prefer({ emailRhythm: 'weekly' })
    await d.comment()
    test.clock.set('2026-11-30T08:05:00Z')
    await runDigests()
    test.clock.set('2026-12-22T08:00:00Z')
    await d.comment('News')
    test.clock.set('2026-12-23T08:05:00Z')
    await runDigests()
    expect(mails).toHaveLength(1)
    test.clock.set('2026-12-28T08:05:00Z')
    await runDigests()
    expect(mails).toHaveLength(2)
  })

  it('waits for the end of quiet hours, even past noon', async () => {
    await d.prefer({ quietHours: { from: 6 * 60, until: 14 * 60 } })
    test.clock.set('2026-11-24T05:05:00Z')
    await d.comment()
    const mailedAt: string[] = []
    for (let hour = 0; hour < 24; hour++) {
      const before = mails.length
      await runDigests()
      if (mails.length > before) mailedAt.push(test.clock.now().toISOString().slice(0, 13))
      await d.wait({ hours: 1 })
    }
    expect(mailedAt).toEqual(['2026-11-24T14'])
  })

  it('lists twenty items and how many more there are', async () => {
    for (let i = 0; i < 23; i++) await d.comment()
    test.clock.set('2026-11-24T08:05:00Z')
    await runDigests()
    expect(mails[0]?.subject).toBe('You have 23 new notifications')
    expect(mails[0]?.text.match(/Ben Birch commented/g)).toHaveLength(20)
    expect(mails[0]?.text).toContain('and 3 more')
  })
})
