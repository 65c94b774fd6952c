import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { node } from '#tests/support/processes.ts'
import { totp } from '#tests/support/totp.ts'
import { newPerson, type Person } from './people.ts'

const root = path.join(import.meta.dirname, '../..')

/** Creates an admin with the command while the server is running, as an operator would. */
export async function makeAdmin(): Promise<Person> {
  const person = newPerson()
  const { email, firstName, lastName, birthday, password } = person
  await promisify(execFile)(
    node,
    ['server/commands/create-admin.ts', '--email', email, '--name', `${firstName} ${lastName}`, '--birthday', birthday],
    {
      cwd: root,
      env: { PATH: process.env.PATH, DATA_DIR: process.env.E2E_DATA_DIR, ADMIN_PASSWORD: password },
    },
  )
  return person
}

export async function signIn(page: Page, { email, password, firstName, lastName }: Person): Promise<void> {
  const answer = await page.request.post('/api/login', { data: { email, password } })
  expect(answer.ok(), await answer.text()).toBe(true)
  await page.request.post('/api/user/profile', { data: { firstName, lastName, location: 'Denver, CO' } })
}

/** Each code works once, so a second call within the same half minute returns a used code. */
export const codeOf = (secret: string): string => totp(secret, new Date())

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

/** This worker's admin sessions, each for one test at a time: creating an admin takes as long as loading two pages. */
const free: Session[] = []
const taken: { testId: string; context: BrowserContext; session: Session }[] = []

/**
 * A browser signed in through the API as an admin who has confirmed the second factor. Each call within a test gets a different admin.
 * Other tests may have used the admin before, so don't test admins' own settings or history with it.
 */
export async function openAsAdmin(browser: Browser): Promise<{ page: Page }> {
  const { testId } = test.info()
  for (const one of taken.filter((other) => other.testId !== testId)) {
    await one.context.close()
    taken.splice(taken.indexOf(one), 1)
    free.push(one.session)
  }
  const session = free.pop() ?? (await newSession(browser))
  const context = await browser.newContext({ storageState: session })
  taken.push({ testId, context, session })
  return { page: await context.newPage() }
}

async function newSession(browser: Browser): Promise<Session> {
  const person = await makeAdmin()
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, person)
  const begun = await page.request.post('/api/second-factor/begin', { data: { password: person.password } })
  const { secret } = (await begun.json()) as { secret: string }
  const confirmed = await page.request.post('/api/second-factor/confirm', { data: { code: codeOf(secret) } })
  expect(confirmed.ok(), await confirmed.text()).toBe(true)
  const session = await context.storageState()
  await context.close()
  return session
}
