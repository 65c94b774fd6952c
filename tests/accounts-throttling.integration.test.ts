import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import { confirmingEnv, registration, startAccountsApp } from './support/accounts-app.ts'

/** Limits on password attempts and requested email, which must not let strangers lock an owner out. */

describe('throttling', () => {
  const wrong = 'not the password at all'
  const start = async (env: Record<string, string> = {}) => {
    const t = await startAccountsApp({ RATE_LIMIT_SCALE: '1', ...env })
    const details = registration()
    const registered = await t.post('/api/register', details)
    const send = (url: string, payload: object, { from = '10.0.0.1', cookie = '' } = {}) =>
      t.app.inject({ method: 'POST', url, payload, remoteAddress: from, headers: cookie ? { cookie } : {} })
    const login = (password: string, options?: { from?: string; cookie?: string }, email = details.email) =>
      send('/api/login', { email, password }, options)
    const cookiesOf = (response: LightMyRequestResponse) =>
      response.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
    return { t, details, registered, send, login, cookiesOf }
  }

  test('stops password guesses for one address from one network before hashing them', async () => {
    const { t, details, login } = await start()
    try {
      let verified = 0
      const { verifyPassword } = t.auth
      t.auth.verifyPassword = (password, hash) => {
        verified++
        return verifyPassword(password, hash)
      }
      const statuses: number[] = []
      for (let number = 0; number < 12; number++) statuses.push((await login(wrong)).statusCode)
      expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
      expect(verified).toBe(10)
      const refused = await login(details.password)
      expect(refused.statusCode).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      // An address without an account is throttled the same way.
      const unknown: number[] = []
      for (let number = 0; number < 12; number++) unknown.push((await login(wrong, {}, 'no-one@example.com')).statusCode)
      expect(unknown).toEqual(statuses)
    } finally {
      await t.close()
    }
  })

  test('lets the owner in from another network, a known browser, or an open session during an attack', async () => {
    const { t, details, registered, login, send, cookiesOf } = await start()
    try {
      for (let number = 0; number < 12; number++) await login(wrong)
      expect((await login(details.password, { from: '10.9.9.9' })).statusCode).toBe(200)
      // Guesses from many networks use up the budget that all strangers share.
      for (let number = 0; number < 250; number++) await login(wrong, { from: `10.${number}.0.1` })
      expect((await login(details.password, { from: '10.9.9.8' })).statusCode).toBe(429)
      const cookie = cookiesOf(registered)
      const again = await login(details.password, { from: '10.9.9.8', cookie })
      expect(again.statusCode).toBe(200)
      const change = { currentPassword: details.password, password: 'nine quiet boats upstream' }
      expect((await send('/api/sign-in/password', change, { from: '10.9.9.7', cookie: cookiesOf(again) })).statusCode).toBe(204)
      // Opening a password-reset link makes the browser known.
      await send('/api/auth/password-reset-requests', { email: details.email }, { from: '10.9.9.6' })
      await t.runJobs()
      const token = /token=(\S+)/.exec(t.mails.at(-1)?.text ?? '')?.[1]
      const reset = await send('/api/auth/password-resets', { token, password: 'seven otters at the weir' }, { from: '10.9.9.6' })
      expect(reset.statusCode).toBe(204)
      expect((await login('seven otters at the weir', { from: '10.9.9.6', cookie: cookiesOf(reset) })).statusCode).toBe(200)
    } finally {
      await t.close()
    }
  })

  test('counts only wrong passwords, even from a known browser', async () => {
    const { t, details, registered, login, cookiesOf } = await start()
    try {
      for (let number = 0; number < 15; number++) expect((await login(details.password)).statusCode).toBe(200)
      const cookie = cookiesOf(registered)
      const statuses: number[] = []
      for (let number = 0; number < 11; number++) statuses.push((await login(wrong, { cookie })).statusCode)
      expect(statuses).toEqual([...Array(10).fill(401), 429])
      // One account's known-browser cookie is useless for another account and can't be forged.
      const other = registration()
      await t.post('/api/register', other)
      const asOther = await t.app.inject({
        method: 'POST',
        url: '/api/login',
        payload: { email: other.email, password: wrong },
        headers: { cookie },
      })
      expect(asOther.statusCode).toBe(401)
      const forged = cookie.replace(/device=([^.;]+)\.[^;]*/, 'device=$1.AAAA')
      for (let number = 0; number < 11; number++) await login(wrong, { cookie: forged })
      expect((await login(details.password, { cookie: forged })).statusCode).toBe(429)
    } finally {
      await t.close()
    }
  })

  test('prevents floods of email without denying the owner a link', async () => {
    const { t, details, registered, send, cookiesOf } = await start(confirmingEnv)
    try {
      await t.runJobs()
      const asked = (options?: { from?: string; cookie?: string }) =>
        send('/api/auth/password-reset-requests', { email: details.email }, options)
      const statuses: number[] = []
      for (let number = 0; number < 7; number++) statuses.push((await asked()).statusCode)
      expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429])
      // Strangers on many networks get the usual response, but cause at most fifteen emails per hour.
      for (let number = 0; number < 30; number++) expect((await asked({ from: `10.1.${number}.1` })).statusCode).toBe(204)
      await t.runJobs()
      expect(t.mails.length).toBe(15)
      // The latest link works even though the address gets no more emails.
      const token = /reset\?token=(\S+)/.exec(t.mails.at(-1)?.text ?? '')?.[1]
      const reset = await send('/api/auth/password-resets', { token, password: 'nine quiet boats upstream' })
      expect(reset.statusCode).toBe(204)
      // A browser known to the account has its own budget.
      expect((await asked({ cookie: cookiesOf(reset) })).statusCode).toBe(204)
      await t.runJobs()
      expect(t.mails.filter(({ text }) => /reset\?token/.test(text))).toHaveLength(15)
      expect(registered.statusCode).toBe(201)
    } finally {
      await t.close()
    }
  })

  test('prevents floods of email through registrations', async () => {
    const { t, details, send } = await start(confirmingEnv)
    try {
      const statuses: number[] = []
      for (let number = 0; number < 6; number++) statuses.push((await send('/api/register', details)).statusCode)
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
    } finally {
      await t.close()
    }
  })
})
