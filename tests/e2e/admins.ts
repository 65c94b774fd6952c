import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { node } from '../support/processes.ts'
import { totp } from '../support/totp.ts'
import { newPerson, type Person } from './people.ts'

const root = path.join(import.meta.dirname, '../..')

/** An account that the operator makes an admin, as on a machine of one's own: by the command, beside the running server. */
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

/** Signed in with the password alone. */
export async function signIn(page: Page, { email, password, firstName, lastName }: Person): Promise<void> {
  const answer = await page.request.post('/api/login', { data: { email, password } })
  expect(answer.ok(), await answer.text()).toBe(true)
  await page.request.post('/api/user/profile', { data: { firstName, lastName, location: 'Denver, CO' } })
}

/** The code that an authenticator app shows now; a code is taken once, so that a second one waits for the next half minute. */
export const codeOf = (secret: string): string => totp(secret, new Date())

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

/** The sessions of admins of this worker, each for one test at a time: to make an admin takes as long as two pages. */
const free: Session[] = []
const taken: { testId: string; context: BrowserContext; session: Session }[] = []

/**
 * A browser in which an admin has shown the second factor: by the calls, where setting it up is not what a test is about. Another admin
 * each time within a test; other tests had them before, so that it is not for what admins have set or done.
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
