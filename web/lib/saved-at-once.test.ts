import { MutationObserver, queryOptions } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import { fieldsBack, optimisticSettings, toggleOptions } from './saved-at-once.ts'

type Settings = { isMail: boolean; isPush: boolean; zone: string }

const { queryKey } = queryOptions<Settings>({ queryKey: ['/api/settings-under-test'] })
const given: Settings = { isMail: true, isPush: false, zone: 'UTC' }

/** Sent requests, in order, with functions that respond to each. */
let sent: { settings: Settings; answer: () => void; refuse: () => void }[]
const onFailed = vi.fn()
const settings = optimisticSettings<Settings, Partial<Settings>>({
  queryKey,
  withChoice: (data, choice) => ({ ...data, ...choice }),
  turnedBack: fieldsBack,
  save: (_choice, data) =>
    new Promise<void>((resolve, reject) =>
      sent.push({ settings: data, answer: resolve, refuse: () => reject(new Error('Try again soon.')) }),
    ),
  onFailed,
})
const shown = () => queryClient.getQueryData<Settings>(queryKey)
const nth = async (index: number) => {
  await vi.waitFor(() => expect(sent.length).toBe(index + 1))
  return sent[index] as (typeof sent)[number]
}
const settled = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => {
  sent = []
  onFailed.mockClear()
  queryClient.clear()
  queryClient.setQueryData(queryKey, given)
})

test('shows a choice immediately and sends it after the previous one', async () => {
  settings.choose({ isMail: false })
  settings.choose({ isPush: true })
  expect(shown()).toEqual({ isMail: false, isPush: true, zone: 'UTC' })
  // Other unconfirmed choices aren't included.
  expect((await nth(0)).settings).toEqual({ isMail: false, isPush: false, zone: 'UTC' })
  sent[0]?.answer()
  expect((await nth(1)).settings).toEqual({ isMail: false, isPush: true, zone: 'UTC' })
  sent[1]?.answer()
  await settled()
  expect(shown()).toEqual({ isMail: false, isPush: true, zone: 'UTC' })
})

test('rolls back only the refused choice, unless a later one replaced it', async () => {
  settings.choose({ isMail: false })
  settings.choose({ isPush: true })
  settings.choose({ isMail: true })
  settings.choose({ isMail: false })
  ;(await nth(0)).refuse()
  expect((await nth(1)).settings).toEqual({ ...given, isPush: true })
  expect(shown()).toEqual({ isMail: false, isPush: true, zone: 'UTC' })
  sent[1]?.answer()
  ;(await nth(2)).answer()
  ;(await nth(3)).refuse()
  await settled()
  expect(onFailed).toHaveBeenCalledTimes(2)
  expect(shown()).toEqual({ isMail: true, isPush: true, zone: 'UTC' })
})

test('restores the server’s state if all choices are refused', async () => {
  settings.choose({ zone: 'Europe/Paris' })
  settings.choose({ zone: 'Europe/Rome' })
  ;(await nth(0)).refuse()
  ;(await nth(1)).refuse()
  await settled()
  expect(shown()).toEqual(given)
})

test('keeps other changes when a choice is refused', async () => {
  settings.choose({ isMail: false })
  const first = await nth(0)
  queryClient.setQueryData(queryKey, { ...given, isMail: false, zone: 'Europe/Rome' })
  first.refuse()
  await settled()
  expect(shown()).toEqual({ ...given, zone: 'Europe/Rome' })
})

test('discards responses requested before the save and refetches afterward', async () => {
  const reads: ((data: Settings) => void)[] = []
  const queryFn = () => new Promise<Settings>((resolve) => reads.push(resolve))
  const read = () => queryClient.fetchQuery({ queryKey, queryFn, staleTime: 0 })
  const reading = [read()]
  settings.choose({ isMail: false })
  const first = await nth(0)
  reading.push(read())
  first.answer()
  await settled()
  for (const arrive of reads) arrive(given)
  await Promise.all(reading)
  await settled()
  expect(shown()).toEqual({ ...given, isMail: false })
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true)
})

type Toggled = { isOn: boolean; count: number }

/** Presses a toggle that is off, and answers the presses in order. @returns what is shown, with a count such as the number of likes */
async function pressToggle(presses: { to: boolean; isAccepted: boolean }[]): Promise<Toggled> {
  const shown: Toggled = { isOn: false, count: 7 }
  const requests: PromiseWithResolvers<void>[] = []
  const options = toggleOptions(queryClient, {
    mutationKey: ['toggle-under-test', 'a'],
    save: () => {
      const request = Promise.withResolvers<void>()
      requests.push(request)
      return request.promise
    },
    show: (isOn) => Object.assign(shown, { isOn, count: shown.count + (isOn ? 1 : -1) }),
    onFailed,
  })
  const pressed = presses.map(({ to }) => new MutationObserver(queryClient, options).mutate(to).catch(() => undefined))
  for (const [at, { isAccepted }] of presses.entries()) {
    await vi.waitFor(() => expect(requests.length).toBe(at + 1))
    if (isAccepted) requests[at]?.resolve()
    else requests[at]?.reject(new Error('Try again soon.'))
    await pressed[at]
  }
  return shown
}

const on = (isAccepted: boolean) => ({ to: true, isAccepted })
const off = (isAccepted: boolean) => ({ to: false, isAccepted })

test.each([
  ['no press', [on(false)], { isOn: false, count: 7 }],
  ['neither of two presses', [on(false), off(false)], { isOn: false, count: 7 }],
  ['only the first of two presses', [on(true), off(false)], { isOn: true, count: 8 }],
  ['only the second of two presses', [on(false), off(true)], { isOn: false, count: 7 }],
  ['only the second of three presses', [on(false), off(true), on(false)], { isOn: false, count: 7 }],
  ['only the first of three presses', [on(true), off(false), on(false)], { isOn: true, count: 8 }],
])('shows a toggle in the server’s state after the server accepts %s', async (_accepted, presses, expected) => {
  expect(await pressToggle(presses)).toEqual(expected)
  expect(onFailed).toHaveBeenCalledTimes(presses.filter(({ isAccepted }) => !isAccepted).length)
})

test('bases each press of a toggle on the state shown after the previous one', async () => {
  await pressToggle([on(true)])
  expect(await pressToggle([on(false)])).toEqual({ isOn: false, count: 7 })
})
