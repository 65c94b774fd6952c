import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeBrand } from '#contracts/brand.ts'
import { createOutbox, outboxFolder } from '#server/adapters/mail/index.ts'
import { loadConfig } from '#server/config.ts'
import { addDevMail } from './plain-routes.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-dev-mail-'))
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

async function open(nodeEnv: string) {
  const app = Fastify()
  const config = loadConfig({ NODE_ENV: nodeEnv, DATA_DIR: dir, SESSION_SECRET: 's'.repeat(32) })
  addDevMail(app, { config, brand: makeBrand({ name: 'A & B', supportEmail: 's@example.com', year: 2026 }) })
  return app.inject('/dev/mail')
}

test('lists the emails with their links, newest first', async () => {
  const outbox = createOutbox({ folder: outboxFolder(dir), from: 'Sungrove <mail@example.com>' })
  await outbox.send({
    to: 'ann@example.com',
    subject: 'First',
    text: 'Open this:\n\nhttps://grove.example/auth/reset?token=a.b&c=d\n\nBye',
  })
  await outbox.send({ to: 'bob@example.com', subject: 'Second', text: 'Hello' })
  const { statusCode, headers, body } = await open('development')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toContain('text/html')
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toContain(
    '<a href="https://grove.example/auth/reset?token=a.b&amp;c=d">https://grove.example/auth/reset?token=a.b&amp;c=d</a>',
  )
  expect(body.indexOf('Second')).toBeLessThan(body.indexOf('First'))
  expect(body).toContain('<title>Mail · A &amp; B</title>')
})

test('escapes any markup in an email', async () => {
  const outbox = createOutbox({ folder: outboxFolder(dir), from: '<img src=x>' })
  const bad = `"><script>alert(1)</script> https://evil.example/"onmouseover="x' javascript:alert(1)`
  await outbox.send({ to: bad, subject: bad, text: bad })
  const { body } = await open('development')
  expect(body).not.toMatch(/<script|<img|"onmouseover|href="javascript/)
})

test('shows a message when there are no emails', async () => {
  expect((await open('test')).body).toContain('No mail yet')
})

test('does not exist in production', async () => {
  expect((await open('production')).statusCode).toBe(404)
})
