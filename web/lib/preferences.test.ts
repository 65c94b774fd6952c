import { beforeEach, expect, test, vi } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Preferences } from '#contracts/settings.ts'

vi.mock('./boot.ts', () => ({ boot: { user: null, answers: [] } }))

const { currentUserOptions } = await import('./current-user.ts')
const { changePreferences } = await import('./preferences.ts')
const { queryClient } = await import('./query-client.ts')

const nothing: Preferences = { region: null, temperature: null, length: null, mass: null, distance: null }
const user = { id: 'me', preferences: nothing } as CurrentUser
const chosen = () => queryClient.getQueryData(currentUserOptions.queryKey)?.preferences

/** Sent requests, in order, with a function that responds to each. */
let sent: { body: Preferences; answer: (status: number) => void }[]
beforeEach(() => {
  queryClient.setQueryData(currentUserOptions.queryKey, user)
  sent = []
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    const preferences = JSON.parse(body) as Preferences
    return new Promise((resolve) =>
      sent.push({
        body: preferences,
        answer: (status) =>
          resolve(new Response(JSON.stringify(status < 400 ? { ...user, preferences } : { code: 'internal' }), { status })),
      }),
    )
  })
})
const answered = async (index: number, status: number) => {
  await vi.waitFor(() => expect(sent.length).toBe(index + 1))
  sent[index]?.answer(status)
}

test('saves a series of choices in order, without older responses reverting them', async () => {
  const first = changePreferences({ temperature: 'F' })
  await vi.waitFor(() => expect(sent.length).toBe(1))
  const second = changePreferences({ length: 'in' })
  await answered(0, 200)
  await first
  expect(chosen()).toMatchObject({ temperature: 'F', length: 'in' })
  await answered(1, 200)
  await second
  expect(sent.map(({ body }) => body)).toEqual([{ temperature: 'F' }, { length: 'in' }])
  expect(chosen()).toMatchObject({ temperature: 'F', length: 'in' })
})

test('rolls back only choices that the server refuses', async () => {
  const refused = changePreferences({ temperature: 'F' })
  const kept = changePreferences({ length: 'in' })
  await answered(0, 500)
  await expect(refused).rejects.toThrow()
  await answered(1, 200)
  await kept
  expect(chosen()).toEqual({ ...nothing, length: 'in' })
  expect(sent[1]?.body).toEqual({ length: 'in' })
})

test('keeps a choice offline without reporting it as saved', async () => {
  const online = fetch
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await changePreferences({ temperature: 'F' })).toBe(false)
  expect(chosen()).toEqual({ ...nothing, temperature: 'F' })
  vi.stubGlobal('fetch', online)
  const later = changePreferences({ length: 'in' })
  await answered(0, 200)
  await later
  expect(sent[0]?.body).toEqual({ temperature: 'F', length: 'in' })
})

test('sends only changed preferences, so those set on another device stay', async () => {
  queryClient.setQueryData(currentUserOptions.queryKey, { ...user, preferences: { ...nothing, distance: 'mi' } } as CurrentUser)
  for (const [index, change] of [{ mass: 'g' }, { region: 'DE' }].entries()) {
    const saved = changePreferences(change as Partial<Preferences>)
    await answered(index, 200)
    await saved
  }
  expect(sent.map(({ body }) => body)).toEqual([{ mass: 'g' }, { region: 'DE' }])
})
