import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServiceUnavailableError } from '#server/kernel/jobs.ts'
import { type ReceivedMail, type SmtpServer, startSmtpServer } from '#tests/support/smtp-server.ts'
import { createSmtpMailer, smtpLimits } from './index.ts'

let server: SmtpServer
beforeEach(async () => {
  server = await startSmtpServer()
})
afterEach(() => server.close())

const mail = {
  to: 'ann@example.com',
  subject: 'Sungrove: confirm your email address',
  text: 'Open this link:\n\nhttps://grove.example/auth/verify?token=a.b\n',
}

test('delivers an email', async () => {
  const { url, received } = server
  const mailer = createSmtpMailer({ smtpUrl: url, from: '"Leaf, Inc." <mail@grove.example>' })
  await mailer.send({
    ...mail,
    headers: { 'List-Unsubscribe': '<https://grove.example/u/1>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
  await mailer.close()
  expect(received).toHaveLength(1)
  const [{ from, to, data }] = received as [ReceivedMail]
  expect(from).toBe('<mail@grove.example>')
  expect(to).toEqual(['<ann@example.com>'])
  expect(data).toContain('From: "Leaf, Inc." <mail@grove.example>')
  expect(data).toContain('Auto-Submitted: auto-generated')
  expect(data).toContain('List-Unsubscribe: <https://grove.example/u/1>')
  expect(data).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(data).toContain('https://grove.example/auth/verify?token=a.b')
})

test('delivers attachments', async () => {
  const { url, received } = server
  const mailer = createSmtpMailer({ smtpUrl: url, from: 'mail@grove.example' })
  await mailer.send({
    ...mail,
    attachments: [{ filename: 'receipt.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') }],
  })
  await mailer.close()
  expect(received[0]?.data).toContain('Content-Type: application/pdf; name=receipt.pdf')
  expect(received[0]?.data).toContain(Buffer.from('%PDF-1.7').toString('base64'))
})

test('can’t be tricked into adding a recipient or a header', async () => {
  const { url, received } = server
  const mailer = createSmtpMailer({ smtpUrl: url, from: 'mail@grove.example' })
  await mailer.send({ ...mail, to: 'ann@example.com, eve@example.com', subject: 'Hello\r\nBcc: eve@example.com' }).catch(() => {})
  await mailer.close()
  for (const { to, data } of received) {
    expect(to.length).toBeLessThanOrEqual(1)
    expect(to).not.toContain('<eve@example.com>')
    expect(data).not.toMatch(/^Bcc:/m)
  }
})

test('throws when an email is rejected, which makes the job retry', async () => {
  server.answer = '451 try later'
  const refused = createSmtpMailer({ smtpUrl: server.url, from: 'mail@grove.example' })
  const error = await refused.send(mail).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ message: expect.stringMatching(/451/) })
  expect(error).not.toBeInstanceOf(ServiceUnavailableError)
  await refused.close()
})

test('reports an unreachable server as down instead of rejecting the email', async () => {
  const away = createSmtpMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'mail@grove.example' })
  await expect(away.send(mail)).rejects.toThrow(ServiceUnavailableError)
  await expect(away.send(mail)).rejects.toThrow(/^The mail server is unavailable \(connect ECONNREFUSED/)
  await away.close()
})

test.each([
  ['accepts but never responds', 'silent', 'The mail server is unavailable (Greeting never received).'],
  ['greets but never responds', 'stuck', 'The mail server did not accept the email within 0.5 s.'],
] as const)('times out for ten simultaneous emails on a server that %s', async (_name, mood, message) => {
  server.mood = mood
  // A twentieth of the real limits.
  const mailer = createSmtpMailer({ smtpUrl: server.url, from: 'mail@grove.example' }, { connectMs: 400, totalMs: 500 })
  const startedAt = performance.now()
  const errors = await Promise.all(Array.from({ length: 10 }, () => mailer.send(mail).catch((error: Error) => error.message)))
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  expect(new Set(errors)).toEqual(new Set([message]))
  await mailer.close()
  expect(smtpLimits).toEqual({ connectMs: 8_000, totalMs: 10_000 })
})
